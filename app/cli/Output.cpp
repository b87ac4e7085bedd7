#include "app/cli/Output.h"

#include <iostream>

#include "core/cost/FormatQuantity.h"
#include "core/sim/SimOptionNames.h"

namespace doppler::cli {

void printJson(const Json& json) {
    // Names of a file need not be valid UTF-8; what is not is replaced, never a failure.
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json problemJson(const sim::Problem& problem, const io::ImportReport& report) {
    return {{"graph", problem.graph->name()},
            {"nodes", problem.opCount()},
            {"edges", problem.graph->edgeCount()},
            {"cluster", problem.cluster->name()},
            {"devices", problem.deviceCount()},
            {"costs", cost::name(problem.costs->model())},
            {"mode", sim::name(problem.options.mode)},
            {"unit", cost::name(problem.costs->unit())},
            {"report", report.notes}};
}

Json boundJson(const sim::Bound& bound) {
    return bound.value > 0 ? Json(bound.value) : Json();
}

Json gapJson(Time makespan, const sim::Bound& bound) {
    return bound.value > 0 ? Json(sim::gap(makespan, bound.value)) : Json();
}

std::string problemLine(const sim::Problem& problem) {
    const sim::SimOptions& options = problem.options;
    std::string line = problem.graph->name() + " (" + cost::formatCount(problem.opCount()) +
                       " ops, " + cost::formatCount(problem.graph->edgeCount()) + " edges) on " +
                       problem.cluster->name() + " (" + std::to_string(problem.deviceCount()) +
                       " devices), " + std::string(cost::name(problem.costs->model())) + " costs, ";
    if (options == sim::SimOptions::published()) {
        return line + "published simulator";
    }
    if (options == sim::SimOptions{}) {
        return line + "default simulator";
    }
    return line + "own simulator options";
}

} // namespace doppler::cli
