#include "core/graph/GraphBuilder.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>

#include "core/graph/InputError.h"
#include "core/graph/SaturatingMath.h"

namespace doppler::graph {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

// Groups the edges by source (file order within a source), merging parallel ones, and numbers the
// incoming ones by operand.
void GraphBuilder::buildEdges(Graph& graph) {
    const std::size_t opCount = ops_.size();
    std::vector<std::size_t> bucket(opCount + 1, 0);
    for (const EdgeSpec& edge : edges_) {
        ++bucket[at(edge.source) + 1];
    }
    std::partial_sum(bucket.begin(), bucket.end(), bucket.begin());
    std::vector<std::size_t> bySource(edges_.size());
    {
        std::vector<std::size_t> next(bucket.begin(), bucket.end());
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            bySource[next[at(edges_[i].source)]++] = i;
        }
    }

    const bool ownBytes = std::any_of(edges_.begin(), edges_.end(),
                                      [](const EdgeSpec& edge) { return edge.bytes >= 0; });
    const bool ownTransfer = unit_ != FileCostUnit::None &&
                             std::any_of(edges_.begin(), edges_.end(), [](const EdgeSpec& edge) {
                                 return edge.fileTransfer >= 0;
                             });
    mergedEdges_ = 0;
    graph.outBegin_.assign(1, 0);
    std::vector<std::int32_t> multiplicity;
    std::vector<std::int32_t> operandOf;
    std::vector<EdgeId> lastEdgeTo(opCount, kNoEdge);
    std::vector<OpId> lastSourceTo(opCount, kNoOp);
    for (OpId source = 0; at(source) < opCount; ++source) {
        for (std::size_t k = bucket[at(source)]; k < bucket[at(source) + 1]; ++k) {
            const EdgeSpec& edge = edges_[bySource[k]];
            const std::int64_t bytes =
                edge.bytes >= 0 ? edge.bytes : graph.outputBytes_[at(source)];
            const std::int64_t transfer = !ownTransfer ? 0
                                          : edge.fileTransfer >= 0
                                              ? edge.fileTransfer
                                              : graph.fileTransfer_[at(source)];
            if (lastSourceTo[at(edge.target)] == source) {
                const std::size_t first = at(lastEdgeTo[at(edge.target)]);
                ++multiplicity[first];
                ++mergedEdges_;
                if (edge.operand >= 0) {
                    operandOf[first] = operandOf[first] < 0
                                           ? edge.operand
                                           : std::min(operandOf[first], edge.operand);
                }
                // Stated sizes of parallel edges are separate payloads; whole outputs are one.
                if (ownBytes && edge.bytes >= 0) {
                    graph.edgeBytes_[first] = saturatingAdd(graph.edgeBytes_[first], bytes);
                }
                if (ownTransfer && edge.fileTransfer >= 0) {
                    graph.edgeFileTransfer_[first] =
                        saturatingAdd(graph.edgeFileTransfer_[first], transfer);
                }
                continue;
            }
            lastSourceTo[at(edge.target)] = source;
            lastEdgeTo[at(edge.target)] = static_cast<EdgeId>(graph.edgeTarget_.size());
            graph.edgeSource_.push_back(source);
            graph.edgeTarget_.push_back(edge.target);
            multiplicity.push_back(1);
            operandOf.push_back(edge.operand);
            if (ownBytes) {
                graph.edgeBytes_.push_back(bytes);
            }
            if (ownTransfer) {
                graph.edgeFileTransfer_.push_back(transfer);
            }
        }
        graph.outBegin_.push_back(static_cast<EdgeId>(graph.edgeTarget_.size()));
    }
    if (mergedEdges_ > 0) {
        graph.multiplicity_ = std::move(multiplicity);
    }

    graph.inBegin_.assign(opCount + 1, 0);
    for (const OpId target : graph.edgeTarget_) {
        ++graph.inBegin_[at(target) + 1];
    }
    std::partial_sum(graph.inBegin_.begin(), graph.inBegin_.end(), graph.inBegin_.begin());
    graph.inEdges_.resize(graph.edgeTarget_.size());
    std::vector<EdgeId> next(graph.inBegin_.begin(), graph.inBegin_.end());
    for (std::size_t edge = 0; edge < graph.edgeTarget_.size(); ++edge) {
        graph.inEdges_[at(next[at(graph.edgeTarget_[edge])]++)] = static_cast<EdgeId>(edge);
    }
    const bool operands = std::any_of(edges_.begin(), edges_.end(),
                                      [](const EdgeSpec& edge) { return edge.operand >= 0; });
    if (operands) {
        for (std::size_t op = 0; op < opCount; ++op) {
            std::stable_sort(
                graph.inEdges_.begin() + graph.inBegin_[op],
                graph.inEdges_.begin() + graph.inBegin_[op + 1],
                [&](EdgeId a, EdgeId b) { return operandOf[at(a)] < operandOf[at(b)]; });
        }
    }
}

void GraphBuilder::buildUses(Graph& graph) const {
    const bool operands = std::any_of(edges_.begin(), edges_.end(),
                                      [](const EdgeSpec& edge) { return edge.operand >= 0; });
    if (inputUses_.empty() && !operands) {
        return;
    }
    struct PendingUse {
        OpId target;
        Use use;
    };
    std::vector<PendingUse> pending;
    pending.reserve(edges_.size() + inputUses_.size());
    std::size_t nextInput = 0;
    for (std::size_t i = 0; i <= edges_.size(); ++i) {
        while (nextInput < inputUses_.size() && inputUses_[nextInput].afterEdges == i) {
            const InputUseSpec& use = inputUses_[nextInput++];
            pending.push_back({use.target, {use.input, use.operand, true}});
        }
        if (i < edges_.size()) {
            pending.push_back({edges_[i].target, {edges_[i].source, edges_[i].operand, false}});
        }
    }
    std::stable_sort(pending.begin(), pending.end(),
                     [](const PendingUse& a, const PendingUse& b) { return a.target < b.target; });
    graph.usesBegin_.assign(1, 0);
    std::size_t k = 0;
    for (OpId op = 0; at(op) < ops_.size(); ++op) {
        const auto first = static_cast<std::ptrdiff_t>(graph.uses_.size());
        std::int32_t nextOperand = 0;
        for (; k < pending.size() && pending[k].target == op; ++k) {
            Use use = pending[k].use;
            if (use.operand < 0) {
                use.operand = nextOperand;
            }
            nextOperand = std::max(nextOperand, use.operand + 1);
            graph.uses_.push_back(use);
        }
        std::stable_sort(graph.uses_.begin() + first, graph.uses_.end(),
                         [](const Use& a, const Use& b) { return a.operand < b.operand; });
        graph.usesBegin_.push_back(static_cast<std::uint32_t>(graph.uses_.size()));
    }
}

void GraphBuilder::orderTopologically(Graph& graph) const {
    const std::size_t count = ops_.size();
    std::vector<std::int32_t> missing(count);
    std::priority_queue<OpId, std::vector<OpId>, std::greater<>> ready;
    for (OpId op = 0; at(op) < count; ++op) {
        missing[at(op)] = graph.inDegree(op);
        if (missing[at(op)] == 0) {
            ready.push(op);
        }
    }
    graph.order_.reserve(count);
    while (!ready.empty()) {
        const OpId op = ready.top();
        ready.pop();
        graph.order_.push_back(op);
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            if (--missing[at(graph.target(edge))] == 0) {
                ready.push(graph.target(edge));
            }
        }
    }
    if (graph.order_.size() == count) {
        return;
    }

    // Every op left over has a producer that is left over: walking producers must close a cycle.
    OpId op = 0;
    while (missing[at(op)] == 0) {
        ++op;
    }
    std::vector<std::int32_t> seenAt(count, -1);
    std::vector<OpId> walk;
    while (seenAt[at(op)] < 0) {
        seenAt[at(op)] = static_cast<std::int32_t>(walk.size());
        walk.push_back(op);
        for (const EdgeId edge : graph.inEdges(op)) {
            if (missing[at(graph.source(edge))] > 0) {
                op = graph.source(edge);
                break;
            }
        }
    }
    std::vector<OpId> cycle(walk.begin() + seenAt[at(op)], walk.end());
    std::reverse(cycle.begin(), cycle.end());
    constexpr std::size_t kShown = 12;
    std::string text = opLabel(cycle.back());
    for (std::size_t i = 0; i < cycle.size() && i < kShown; ++i) {
        text += " -> " + opLabel(cycle[i]);
    }
    if (cycle.size() > kShown) {
        text += " -> ... (" + std::to_string(cycle.size()) + " ops)";
    }
    throw InputError("edges", "a cycle, " + text, "an acyclic graph");
}

} // namespace doppler::graph
