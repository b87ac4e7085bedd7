#include "views/workspace/OpSteps.h"

namespace doppler::views {

namespace {

const sim::Interval& interval(const sim::Timeline& timeline, std::int32_t index) {
    return timeline.intervals[static_cast<std::size_t>(index)];
}

/// The op of an interval; kNoOp for no interval.
OpId opOf(const sim::Timeline& timeline, std::int32_t index) {
    return index < 0 ? kNoOp : interval(timeline, index).op;
}

OpId stepOnLane(const sim::Timeline& timeline, OpId op, int step) {
    const std::int32_t here = timeline.executionOf[static_cast<std::size_t>(op)];
    const sim::Interval& from = interval(timeline, here);
    const auto count = static_cast<std::int32_t>(timeline.intervals.size());
    for (std::int32_t i = here + step; i >= 0 && i < count; i += step) {
        const sim::Interval& other = interval(timeline, i);
        if (!other.isTransfer() && other.device == from.device && other.slot == from.slot) {
            return other.op;
        }
    }
    return kNoOp;
}

} // namespace

OpId opWaitedFor(const sim::Timeline& timeline, OpId op) {
    // A transfer carries a value of another op; one of our own output cannot hold us up.
    return opOf(timeline, timeline.execution(op).causeInterval);
}

OpId nextOnLane(const sim::Timeline& timeline, OpId op) {
    return stepOnLane(timeline, op, 1);
}

OpId previousOnLane(const sim::Timeline& timeline, OpId op) {
    return stepOnLane(timeline, op, -1);
}

OpId lastProducer(const graph::Graph& graph, const sim::Timeline& timeline, OpId op) {
    if (const OpId last = opOf(timeline, timeline.execution(op).lastInput); last != kNoOp) {
        return last;
    }
    const auto edges = graph.inEdges(op);
    return edges.empty() ? kNoOp : graph.source(edges.front());
}

OpId firstConsumer(const graph::Graph& graph, const sim::Timeline& timeline, OpId op) {
    OpId best = kNoOp;
    bool bestWaited = false;
    for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
        const OpId consumer = graph.target(edge);
        const sim::Interval& run = timeline.execution(consumer);
        const bool waited = opOf(timeline, run.lastInput) == op;
        const bool sooner = best == kNoOp || run.start < timeline.execution(best).start;
        if (best == kNoOp || (waited && !bestWaited) || (waited == bestWaited && sooner)) {
            best = consumer;
            bestWaited = waited;
        }
    }
    return best;
}

} // namespace doppler::views
