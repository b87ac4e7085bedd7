#include "core/place/Experiment.h"

#include <algorithm>
#include <cmath>

#include "core/place/Registry.h"

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
            .budgetMs = search ? std::llround(budgetSeconds * kMsPerSecond) : 0,
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

} // namespace doppler::place
