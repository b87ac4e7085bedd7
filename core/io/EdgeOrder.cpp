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
    for (OpId op = 0; op < graph.opCount(); ++op) {
        for (const graph::Use& use : graph.uses(op)) {
            EdgeEntry entry{use.source, op, use.operand, use.fromInput, kNoEdge, false};
            if (!use.fromInput) {
                entry.edge = edgeOf.at(pairKey(use.source, op));
            }
            entries.push_back(entry);
        }
    }
    return entries;
}

/// True if the builder would number the operands itself. (Without stated operands it does so only
/// where graph inputs are used.)
bool operandsFollowFromOrder(const graph::Graph& graph, const std::vector<EdgeEntry>& entries) {
    if (std::none_of(entries.begin(), entries.end(),
                     [](const EdgeEntry& entry) { return entry.fromInput; })) {
        return false;
    }
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

/// Finds an order of all uses under two rules: uses of one run (a consumer, or one operand of it)
/// keep their order; the first use of each edge comes after those of its producer's earlier edges.
/// Emitting one use never blocks another, so taking any free one finds an order if there is one.
class UseSorter {
public:
    UseSorter(const graph::Graph& graph, std::vector<EdgeEntry> entries, bool runPerConsumer)
        : graph_(graph)
        , entries_(std::move(entries))
        , state_(entries_.size(), State::Blocked)
        , usesOfEdge_(at(graph.edgeCount()))
        , edgeBegun_(at(graph.edgeCount()), false) {
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const bool first = i == 0 || entries_[i - 1].target != entries_[i].target ||
                               (!runPerConsumer && entries_[i - 1].operand != entries_[i].operand);
            startsRun_.push_back(first);
            if (entries_[i].edge != kNoEdge) {
                usesOfEdge_[at(entries_[i].edge)].push_back(i);
            }
        }
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            offer(i);
        }
    }

    /// All uses, smallest index first among the free ones; empty if the rules contradict.
    std::vector<EdgeEntry> sorted() {
        std::vector<EdgeEntry> order;
        while (!free_.empty()) {
            const std::size_t i = free_.top();
            free_.pop();
            state_[i] = State::Done;
            order.push_back(entries_[i]);
            if (const EdgeId edge = entries_[i].edge; edge != kNoEdge) {
                order.back().repeated = edgeBegun_[at(edge)];
                begin(edge);
            }
            if (i + 1 < entries_.size()) {
                offer(i + 1);
            }
        }
        return order.size() == entries_.size() ? order : std::vector<EdgeEntry>();
    }

private:
    enum class State : std::uint8_t { Blocked, Free, Done };

    void begin(EdgeId edge) {
        if (edgeBegun_[at(edge)]) {
            return;
        }
        edgeBegun_[at(edge)] = true;
        for (const std::size_t i : usesOfEdge_[at(edge)]) {
            offer(i);
        }
        if (edge + 1 < graph_.endOutEdge(graph_.source(edge))) {
            for (const std::size_t i : usesOfEdge_[at(edge + 1)]) {
                offer(i);
            }
        }
    }

    void offer(std::size_t i) {
        const bool runAllows = startsRun_[i] || state_[i - 1] == State::Done;
        if (state_[i] == State::Blocked && runAllows && producerAllows(entries_[i].edge)) {
            state_[i] = State::Free;
            free_.push(i);
        }
    }

    bool producerAllows(EdgeId edge) const {
        return edge == kNoEdge || edge == graph_.firstOutEdge(graph_.source(edge)) ||
               edgeBegun_[at(edge - 1)];
    }

    const graph::Graph& graph_;
    std::vector<EdgeEntry> entries_;
    std::vector<State> state_;
    std::vector<bool> startsRun_;
    std::vector<std::vector<std::size_t>> usesOfEdge_;
    std::vector<bool> edgeBegun_;
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free_;
};

} // namespace

std::vector<EdgeEntry> edgesInBuildOrder(const graph::Graph& graph) {
    const std::vector<EdgeEntry> entries = entriesOfUses(graph);
    if (entries.empty()) {
        return plainEdges(graph);
    }
    if (operandsFollowFromOrder(graph, entries)) {
        std::vector<EdgeEntry> sorted = UseSorter(graph, entries, true).sorted();
        if (!sorted.empty()) {
            for (EdgeEntry& entry : sorted) {
                entry.operand = -1;
            }
            return sorted;
        }
    }
    return UseSorter(graph, entries, false).sorted();
}

} // namespace doppler::io
