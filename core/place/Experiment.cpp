#include "core/place/Experiment.h"

#include <algorithm>
#include <cmath>

#include "core/graph/InputError.h"
#include "core/place/Registry.h"
#include "core/sim/SimOptionNames.h"
#include "core/sim/Simulator.h"

namespace doppler::place {

const PlacerInfo& placerInfo(const std::string& name) {
    const auto found = std::find_if(placers().begin(), placers().end(),
                                    [&](const PlacerInfo& info) { return info.name == name; });
    if (found == placers().end()) {
        makePlacer(name); // throws, with all names
    }
    return *found;
}

ExperimentProblem prepareProblem(std::string label, std::shared_ptr<const sim::Problem> problem) {
    ExperimentProblem prepared;
    prepared.label = std::move(label);
    prepared.hash = problemHash(*problem);
    prepared.bound = sim::lowerBound(*problem);
    prepared.problem = std::move(problem);
    return prepared;
}

int Experiment::runsOf(std::size_t method) const {
    return placerInfo(methods[method]).random ? seeds : 1;
}

RunKey Experiment::key(std::size_t problem, std::size_t method, std::uint64_t seed) const {
    constexpr double kMsPerSecond = 1000;
    const bool search = placerInfo(methods[method]).search;
    return {.problem = problems[problem].hash,
            .method = methods[method],
            .seed = seed,
            .budgetMs = search && !maxEvaluations ? std::llround(budgetSeconds * kMsPerSecond) : 0,
            .maxEvaluations = search ? maxEvaluations.value_or(0) : 0,
            .version = version,
            .objective = name(objective)};
}

Time Experiment::boundOf(std::size_t problem) const {
    return objective.measure == Objective::Measure::Makespan ? problems[problem].bound.value : 0;
}

int Experiment::totalRuns() const {
    int total = 0;
    for (std::size_t method = 0; method < methods.size(); ++method) {
        total += runsOf(method);
    }
    return total * static_cast<int>(problems.size());
}

void checkRun(const Experiment& experiment, const RunRecord& record, const std::string& where) {
    const auto found = std::find_if(
        experiment.problems.begin(), experiment.problems.end(),
        [&](const ExperimentProblem& each) { return each.hash == record.key.problem; });
    if (found == experiment.problems.end()) {
        return;
    }
    const sim::Problem& problem = *found->problem;
    const std::string mode(sim::name(problem.options.mode));
    if (record.mode != mode) {
        throw InputError(where + ", mode", '"' + record.mode + '"',
                         '"' + mode + "\", that of its problem");
    }
    const auto ops = static_cast<std::size_t>(problem.opCount());
    if (record.assignment.size() != ops) {
        throw InputError(where + ", assignment", std::to_string(record.assignment.size()) + " ops",
                         std::to_string(ops));
    }
    for (std::size_t op = 0; op < ops; ++op) {
        const DeviceId device = record.assignment[op];
        const DeviceId pin = problem.pin(static_cast<OpId>(op));
        const std::string place = where + ", assignment of op " + std::to_string(op);
        if (device < 0 || device >= problem.deviceCount()) {
            throw InputError(place, "device " + std::to_string(device),
                             "one of 0 to " + std::to_string(problem.deviceCount() - 1));
        }
        if (pin != kNoDevice && pin != device) {
            throw InputError(place, "device " + std::to_string(device),
                             std::to_string(pin) + ", to which it is pinned");
        }
    }
    if (record.makespan < found->bound.value) {
        throw InputError(where + ", makespan", std::to_string(record.makespan),
                         "at least the bound " + std::to_string(found->bound.value));
    }
    if (record.key.version == experiment.version) {
        const Time simulated = sim::Simulator(found->problem).makespan(record.assignment);
        if (record.makespan != simulated) {
            throw InputError(where + ", makespan", std::to_string(record.makespan),
                             std::to_string(simulated) + ", that of its assignment");
        }
    }
}

} // namespace doppler::place
