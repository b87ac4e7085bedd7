#include "core/io/EdgeOrder.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>

namespace doppler::io {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

std::uint64_t pairKey(OpId source, OpId target) {
    return (static_cast<std::uint64_t>(source) << 32U) | static_cast<std::uint32_t>(target);
}

/// "Comes before" between entries.
class Precedence {
public:
    explicit Precedence(std::size_t count) : after_(count), missing_(count, 0) {}

    void add(std::size_t before, std::size_t after) {
        after_[before].push_back(after);
        ++missing_[after];
    }

    /// Smallest index first among the free ones. A contradiction is broken at its smallest index
    /// and clears `consistent`.
    std::vector<std::size_t> sorted(bool& consistent) {
        std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free;
        for (std::size_t i = 0; i < missing_.size(); ++i) {
            if (missing_[i] == 0) {
                free.push(i);
            }
        }
        std::vector<std::size_t> order;
        std::vector<bool> done(missing_.size(), false);
        std::size_t firstOpen = 0;
        consistent = true;
        while (order.size() < missing_.size()) {
            if (free.empty()) {
                consistent = false;
                while (done[firstOpen]) {
                    ++firstOpen;
                }
                free.push(firstOpen);
            }
            const std::size_t next = free.top();
            free.pop();
            if (done[next]) {
                continue;
            }
            done[next] = true;
            order.push_back(next);
            for (const std::size_t later : after_[next]) {
                if (--missing_[later] == 0) {
                    free.push(later);
                }
            }
        }
        return order;
    }

private:
    std::vector<std::vector<std::size_t>> after_;
    std::vector<int> missing_;
};

std::vector<EdgeEntry> plainEdges(const graph::Graph& graph) {
    std::vector<EdgeEntry> entries;
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        for (std::int32_t i = 0; i < graph.multiplicity(edge); ++i) {
            entries.push_back({graph.source(edge), graph.target(edge), -1, false, edge, i > 0});
        }
    }
    return entries;
}

/// All uses as entries, consumer by consumer.
std::vector<EdgeEntry> entriesOfUses(const graph::Graph& graph) {
    std::unordered_map<std::uint64_t, EdgeId> edgeOf;
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        edgeOf.emplace(pairKey(graph.source(edge), graph.target(edge)), edge);
    }
    std::vector<EdgeEntry> entries;
    std::vector<bool> seen(at(graph.edgeCount()), false);
    for (OpId op = 0; op < graph.opCount(); ++op) {
        for (const graph::Use& use : graph.uses(op)) {
            EdgeEntry entry{use.source, op, use.operand, use.fromInput, kNoEdge, false};
            if (!use.fromInput) {
                entry.edge = edgeOf.at(pairKey(use.source, op));
                entry.repeated = seen[at(entry.edge)];
                seen[at(entry.edge)] = true;
            }
            entries.push_back(entry);
        }
    }
    return entries;
}

/// True if the builder would number the operands itself.
bool operandsFollowFromOrder(const graph::Graph& graph) {
    for (OpId op = 0; op < graph.opCount(); ++op) {
        std::int32_t expected = 0;
        for (const graph::Use& use : graph.uses(op)) {
            if (use.operand != expected++) {
                return false;
            }
        }
        const auto in = graph.inEdges(op);
        if (!std::is_sorted(in.begin(), in.end())) {
            return false;
        }
    }
    return true;
}

std::vector<EdgeEntry> sortEntries(const graph::Graph& graph, const std::vector<EdgeEntry>& entries,
                                   bool implicitOperands, bool& consistent) {
    Precedence precedence(entries.size());
    std::vector<std::size_t> firstOfEdge(at(graph.edgeCount()), 0);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const bool sameConsumer = i > 0 && entries[i - 1].target == entries[i].target;
        if (sameConsumer && (implicitOperands || entries[i - 1].operand == entries[i].operand)) {
            precedence.add(i - 1, i);
        }
        if (entries[i].repeated) {
            precedence.add(firstOfEdge[at(entries[i].edge)], i);
        } else if (entries[i].edge != kNoEdge) {
            firstOfEdge[at(entries[i].edge)] = i;
        }
    }
    for (OpId op = 0; op < graph.opCount(); ++op) {
        for (EdgeId edge = graph.firstOutEdge(op) + 1; edge < graph.endOutEdge(op); ++edge) {
            precedence.add(firstOfEdge[at(edge - 1)], firstOfEdge[at(edge)]);
        }
    }
    std::vector<EdgeEntry> sorted;
    for (const std::size_t i : precedence.sorted(consistent)) {
        sorted.push_back(entries[i]);
        if (implicitOperands) {
            sorted.back().operand = -1;
        }
    }
    return sorted;
}

} // namespace

std::vector<EdgeEntry> edgesInBuildOrder(const graph::Graph& graph) {
    const std::vector<EdgeEntry> entries = entriesOfUses(graph);
    if (entries.empty()) {
        return plainEdges(graph);
    }
    bool consistent = false;
    if (operandsFollowFromOrder(graph)) {
        std::vector<EdgeEntry> sorted = sortEntries(graph, entries, true, consistent);
        if (consistent) {
            return sorted;
        }
    }
    return sortEntries(graph, entries, false, consistent);
}

} // namespace doppler::io
