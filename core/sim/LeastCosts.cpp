#include "core/sim/LeastCosts.h"

#include <algorithm>

namespace doppler::sim {

namespace {

/// Link classes that some pair of distinct devices uses, `from` or `to` fixed if it is a device.
std::vector<std::size_t> classesBetween(const cost::CostTable& costs, DeviceId from, DeviceId to) {
    std::vector<bool> used(costs.linkClasses(), false);
    const int devices = costs.deviceCount();
    for (DeviceId a = 0; a < devices; ++a) {
        for (DeviceId b = 0; b < devices; ++b) {
            if (a != b && (from == kNoDevice || from == a) && (to == kNoDevice || to == b)) {
                used[costs.linkClass(a, b)] = true;
            }
        }
    }
    std::vector<std::size_t> classes;
    for (std::size_t cls = 0; cls < used.size(); ++cls) {
        if (used[cls]) {
            classes.push_back(cls);
        }
    }
    return classes;
}

Time leastCompute(const Problem& problem, OpId op) {
    const cost::CostTable& costs = *problem.costs;
    const DeviceId pin = problem.pin(op);
    if (pin != kNoDevice) {
        return costs.compute(op, pin);
    }
    Time least = costs.computeOfClass(op, 0);
    for (std::size_t cls = 1; cls < costs.deviceClasses(); ++cls) {
        least = std::min(least, costs.computeOfClass(op, cls));
    }
    return least;
}

Time leastOfClasses(const Problem& problem, EdgeId edge, const std::vector<std::size_t>& classes) {
    const OpId source = problem.graph->source(edge);
    Time least = kNever;
    for (const std::size_t cls : classes) {
        least = std::min(least, problem.costs->transferOfClass(edge, source, cls));
    }
    return least;
}

} // namespace

LeastCosts leastCosts(const Problem& problem) {
    const graph::Graph& graph = *problem.graph;
    LeastCosts least;
    least.compute.resize(static_cast<std::size_t>(graph.opCount()));
    for (OpId op = 0; op < graph.opCount(); ++op) {
        least.compute[static_cast<std::size_t>(op)] = leastCompute(problem, op);
    }

    const auto anyPair = classesBetween(*problem.costs, kNoDevice, kNoDevice);
    const auto edges = static_cast<std::size_t>(graph.edgeCount());
    least.transfer.resize(edges);
    least.alwaysMoves.assign(edges, false);
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        const DeviceId from = problem.pin(graph.source(edge));
        const DeviceId to = problem.pin(graph.target(edge));
        const auto at = static_cast<std::size_t>(edge);
        if (from == kNoDevice && to == kNoDevice) {
            least.transfer[at] = leastOfClasses(problem, edge, anyPair);
        } else if (from == to) {
            least.transfer[at] = kNever;
        } else {
            least.transfer[at] =
                leastOfClasses(problem, edge, classesBetween(*problem.costs, from, to));
            least.alwaysMoves[at] = from != kNoDevice && to != kNoDevice;
        }
    }
    return least;
}

} // namespace doppler::sim
