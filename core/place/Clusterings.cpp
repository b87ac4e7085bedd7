#include "core/place/Clusterings.h"

#include <algorithm>
#include <numeric>

#include "core/place/HeavyEdgeJoin.h"
#include "core/place/policy/StructuralClasses.h"

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

Clusterings::Clusterings(const sim::Problem& problem, Random& random, const std::stop_token& stop) {
    if (!stop.stop_requested()) {
        addClasses(problem);
    }
    double total = 0;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        total += problem.costs->meanCompute(op);
    }
    const std::int64_t edges = std::max(1, problem.graph->edgeCount());
    const std::int64_t variants = std::clamp<std::int64_t>(kMostEdges / edges, 1, kMostVariants);
    for (std::int64_t variant = 0; variant < variants; ++variant) {
        for (const double share : kShares) {
            if (stop.stop_requested()) {
                return;
            }
            addClustering(problem, share * total / problem.deviceCount(), random);
        }
    }
}

void Clusterings::addClasses(const sim::Problem& problem) {
    StructuralClasses classes = structuralClasses(problem);
    classOf_ = std::move(classes.ofOp);
    classBegin_.push_back(0);
    for (const std::int32_t size : classes.sizes) {
        classBegin_.push_back(classBegin_.back() + at(size));
    }
    std::vector<std::size_t> next = classBegin_;
    byClass_.resize(classOf_.size());
    for (OpId op = 0; op < problem.opCount(); ++op) {
        byClass_[next[at(classOf_[at(op)])]++] = op;
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

    std::vector<EdgeId> order;
    order.reserve(edges.size());
    for (const auto& [weight, edge] : edges) {
        order.push_back(edge);
    }
    const std::vector<OpId> top = joinHeavyEdges(problem, order, largest);

    std::vector<OpId> byRoot(top.size());
    std::iota(byRoot.begin(), byRoot.end(), 0);
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
