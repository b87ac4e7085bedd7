#include "core/place/Clusterings.h"

#include <algorithm>
#include <numeric>

namespace doppler::place {

namespace {

// Largest clusters, in devices' mean shares of the work.
constexpr double kShares[] = {0.5, 0.25, 0.125, 0.0625, 0.03};
constexpr std::int64_t kMostVariants = 4;
// Edges over all variants, so that large graphs take no longer than they must.
constexpr std::int64_t kMostEdges = 200'000;
// Edges of much the same transfer are joined in random order.
constexpr double kOrderNoise = 0.3;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

Clusterings::Clusterings(const sim::Problem& problem, Random& random) {
    double total = 0;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        total += problem.costs->meanCompute(op);
    }
    const std::int64_t edges = std::max(1, problem.graph->edgeCount());
    const std::int64_t variants = std::clamp<std::int64_t>(kMostEdges / edges, 1, kMostVariants);
    for (std::int64_t variant = 0; variant < variants; ++variant) {
        for (const double share : kShares) {
            addClustering(problem, share * total / problem.deviceCount(), random);
        }
    }
}

void Clusterings::addClustering(const sim::Problem& problem, double largest, Random& random) {
    const graph::Graph& graph = *problem.graph;
    std::vector<std::pair<double, EdgeId>> edges;
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        const double weight = problem.costs->meanTransfer(edge, graph.source(edge));
        edges.emplace_back(-weight * (1 - kOrderNoise * random.uniform()), edge);
    }
    std::sort(edges.begin(), edges.end());

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
    for (const auto& [weight, edge] : edges) {
        const OpId a = find(graph.source(edge));
        const OpId b = find(graph.target(edge));
        if (a != b && work[at(a)] + work[at(b)] <= largest) {
            root[at(b)] = a;
            work[at(a)] += work[at(b)];
        }
    }

    std::vector<OpId> byRoot(root.size());
    std::iota(byRoot.begin(), byRoot.end(), 0);
    std::vector<OpId> top(root.size());
    for (OpId op = 0; op < graph.opCount(); ++op) {
        top[at(op)] = find(op);
    }
    std::stable_sort(byRoot.begin(), byRoot.end(),
                     [&](OpId a, OpId b) { return top[at(a)] < top[at(b)]; });
    for (std::size_t i = 0; i < byRoot.size();) {
        std::size_t end = i + 1;
        while (end < byRoot.size() && top[at(byRoot[end])] == top[at(byRoot[i])]) {
            ++end;
        }
        if (end - i > 1) { // single ops move by themselves anyway
            begin_.push_back(members_.size());
            members_.insert(members_.end(), byRoot.begin() + static_cast<std::ptrdiff_t>(i),
                            byRoot.begin() + static_cast<std::ptrdiff_t>(end));
        }
        i = end;
    }
}

} // namespace doppler::place
