#include "core/sim/Bounds.h"

#include <algorithm>

#include "core/sim/CommunicationBound.h"
#include "core/sim/HeadTailBound.h"

namespace doppler::sim {

namespace {

std::vector<Bound> allBounds() {
    // The simplest first, so that it is the one named where several agree.
    return {
        {.name = "area", .description = "sum of work / sum of speed"},
        {.name = "critical path", .description = "longest path on the fastest devices"},
        {.name = "device path", .description = "longest path, the device chosen op by op"},
        {.name = "head and tail", .description = "work that lies between least heads and tails"},
        {.name = "communication", .description = "paths, transfers and one-machine work together"},
    };
}

} // namespace

std::vector<Bound> lowerBounds(const Problem& problem, const std::stop_token& stop) {
    std::vector<Bound> bounds = allBounds();
    if (problem.options.durationVariation > 0) {
        for (Bound& bound : bounds) {
            bound.applies = false;
        }
        return bounds;
    }
    Bound& communication = bounds[4];
    Bound& headAndTail = bounds[3];
    Bound& devicePath = bounds[2];
    Bound& criticalPath = bounds[1];
    Bound& area = bounds[0];

    const LeastCosts least = leastCosts(problem);
    const std::vector<WeightedWork> works = weightedWorks(problem);
    for (const WeightedWork& work : works) {
        area.value = std::max(area.value, areaBound(work));
    }
    HeadsAndTails paths = computePaths(problem, least);
    criticalPath.value = longestPath(least, paths);
    if (auto perDevice = devicePaths(problem)) {
        devicePath.value = perDevice->bound;
        paths = std::move(perDevice->least);
    } else {
        devicePath.applies = false;
    }
    headAndTail.value = headTailBound(works, paths);
    if (transfersAffordable(problem)) {
        improveByTransfers(problem, least, paths, stop);
        communication.value =
            std::max({area.value, longestPath(least, paths), headTailBound(works, paths)});
    } else {
        communication.applies = false;
    }
    std::stable_sort(bounds.begin(), bounds.end(),
                     [](const Bound& a, const Bound& b) { return a.value > b.value; });
    return bounds;
}

Bound lowerBound(const Problem& problem, const std::stop_token& stop) {
    return lowerBounds(problem, stop).front();
}

double gap(Time makespan, Time bound) {
    if (bound == 0) {
        return 0;
    }
    return static_cast<double>(makespan) / static_cast<double>(bound) - 1;
}

} // namespace doppler::sim
