#include <algorithm>
#include <cmath>

#include "core/place/PlacerEntry.h"
#include "core/place/Random.h"
#include "core/place/SearchRun.h"

namespace doppler::place {

namespace {

// FlexFlow's: a change that costs d milliseconds is accepted with probability exp(-1.2 d), and the
// search goes back to its best after a hundredth of the budget, at most 1,000 changes.
constexpr double kAlphaPerMs = 1.2;
constexpr double kNsPerMs = 1e6;
constexpr std::int64_t kMostBetweenResets = 1000;
constexpr std::int64_t kResets = 100;
// Costs without a unit: the start counts as a typical training iteration of FlexFlow's paper.
constexpr double kStartMs = 100;

double alphaPerTime(const sim::Problem& problem, Time start) {
    if (problem.costs->unit() == cost::TimeUnit::Nanoseconds) {
        return kAlphaPerMs / kNsPerMs;
    }
    return kAlphaPerMs * kStartMs / std::max(1.0, static_cast<double>(start));
}

std::vector<OpId> movableOps(const sim::Problem& problem) {
    std::vector<OpId> ops;
    for (OpId op = 0; problem.deviceCount() > 1 && op < problem.opCount(); ++op) {
        if (problem.pin(op) == kNoDevice) {
            ops.push_back(op);
        }
    }
    return ops;
}

PlaceResult place(const PlaceRequest& request) {
    SearchRun run(request);
    Random random(request.seed);
    run.start();
    const std::vector<OpId> movable = movableOps(run.problem());
    if (!movable.empty()) {
        run.improveByPolicy(random.next()); // FlexFlow begins with existing strategies too
    }
    sim::Assignment current = run.best();
    Time currentValue = run.bestValue();
    const double alpha = alphaPerTime(run.problem(), currentValue);
    const std::int64_t betweenResets =
        request.maxEvaluations
            ? std::clamp<std::int64_t>(*request.maxEvaluations / kResets, 1, kMostBetweenResets)
            : kMostBetweenResets;
    std::int64_t sinceReset = 0;
    while (!movable.empty() && run.take()) {
        if (++sinceReset > betweenResets) {
            current = run.best();
            currentValue = run.bestValue();
            sinceReset = 0;
        }
        const OpId op = movable[random.below(movable.size())];
        DeviceId& device = current[static_cast<std::size_t>(op)];
        const DeviceId before = device;
        device = static_cast<DeviceId>(random.below(run.problem().deviceCount()));
        constexpr double kLargestSlack = 1e18;
        const double slack = -std::log(1 - random.uniform()) / alpha;
        const Time limit = currentValue + static_cast<Time>(std::min(slack, kLargestSlack));
        const Time value = device == before ? currentValue : run.valueWithin(current, limit);
        if (value > limit) {
            device = before;
        } else {
            currentValue = value;
        }
    }
    return run.result();
}

} // namespace

PlacerEntry mcmcPlacer() {
    return {{.name = "mcmc",
             .description = "Random moves of single ops, worse ones accepted with falling chance.",
             .source = "FlexFlow: Jia, Zaharia, Aiken 2019",
             .search = true,
             .random = true},
            place};
}

} // namespace doppler::place
