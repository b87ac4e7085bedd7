#include "core/sim/PathLevels.h"

#include <algorithm>

namespace doppler::sim {

std::vector<double> bLevels(const Problem& problem) {
    const graph::Graph& graph = *problem.graph;
    std::vector<double> level(static_cast<std::size_t>(graph.opCount()), 0);
    const auto& order = graph.topologicalOrder();
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
        double longest = 0;
        for (EdgeId edge = graph.firstOutEdge(*op); edge < graph.endOutEdge(*op); ++edge) {
            longest = std::max(longest, problem.costs->meanTransfer(edge, *op) +
                                            level[static_cast<std::size_t>(graph.target(edge))]);
        }
        level[static_cast<std::size_t>(*op)] = problem.costs->meanCompute(*op) + longest;
    }
    return level;
}

std::vector<double> tLevels(const Problem& problem) {
    const graph::Graph& graph = *problem.graph;
    std::vector<double> level(static_cast<std::size_t>(graph.opCount()), 0);
    for (const OpId op : graph.topologicalOrder()) {
        const double done = level[static_cast<std::size_t>(op)] + problem.costs->meanCompute(op);
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            double& target = level[static_cast<std::size_t>(graph.target(edge))];
            target = std::max(target, done + problem.costs->meanTransfer(edge, op));
        }
    }
    return level;
}

} // namespace doppler::sim
