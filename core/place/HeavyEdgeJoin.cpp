#include "core/place/HeavyEdgeJoin.h"

#include <numeric>

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

std::vector<OpId> joinHeavyEdges(const sim::Problem& problem, std::span<const EdgeId> order,
                                 double largest) {
    const graph::Graph& graph = *problem.graph;
    std::vector<OpId> root(at(graph.opCount()));
    std::iota(root.begin(), root.end(), 0);
    std::vector<double> work(root.size());
    for (OpId op = 0; op < graph.opCount(); ++op) {
        work[at(op)] = problem.costs->meanCompute(op);
    }
    const auto find = [&](OpId op) {
        while (root[at(op)] != op) {
            root[at(op)] = root[at(root[at(op)])];
            op = root[at(op)];
        }
        return op;
    };
    for (const EdgeId edge : order) {
        const OpId a = find(graph.source(edge));
        const OpId b = find(graph.target(edge));
        if (a != b && work[at(a)] + work[at(b)] <= largest) {
            root[at(b)] = a;
            work[at(a)] += work[at(b)];
        }
    }
    std::vector<OpId> group(root.size());
    for (OpId op = 0; op < graph.opCount(); ++op) {
        group[at(op)] = find(op);
    }
    return group;
}

} // namespace doppler::place
