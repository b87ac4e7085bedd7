#include "views/gantt/GanttNavigation.h"

#include <algorithm>

namespace doppler::views {

namespace {

const sim::Interval* intervalOr(const sim::Timeline& timeline, std::int32_t index) {
    return index < 0 ? nullptr : &timeline.intervals[static_cast<std::size_t>(index)];
}

const sim::Interval* execution(const sim::Timeline& timeline, OpId op) {
    if (op < 0 || op >= static_cast<OpId>(timeline.executionOf.size())) {
        return nullptr;
    }
    return intervalOr(timeline, timeline.executionOf[static_cast<std::size_t>(op)]);
}

OpId opOf(const sim::Interval* interval) {
    return interval == nullptr ? kNoOp : interval->op;
}

} // namespace

OpId neighbourOnLane(const sim::Timeline& timeline, const LaneModel& lanes, OpId op, int step) {
    const sim::Interval* current = execution(timeline, op);
    if (current == nullptr) {
        return kNoOp;
    }
    const auto& executions = lanes.device(current->device).executions;
    const auto own = std::lower_bound(
        executions.begin(), executions.end(),
        timeline.executionOf[static_cast<std::size_t>(op)]); // intervals are in order of start
    const auto target = (own - executions.begin()) + step;
    if (target < 0 || target >= static_cast<std::ptrdiff_t>(executions.size())) {
        return kNoOp;
    }
    return opOf(intervalOr(timeline, executions[static_cast<std::size_t>(target)]));
}

OpId producerThatMattered(const sim::Timeline& timeline, OpId op) {
    const sim::Interval* current = execution(timeline, op);
    return current == nullptr ? kNoOp : opOf(intervalOr(timeline, current->lastInput));
}

OpId consumerThatMattered(const sim::Timeline& timeline, const graph::Graph& graph, OpId op) {
    OpId best = kNoOp;
    bool bestWaited = false;
    Time bestStart = 0;
    for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
        const OpId consumer = graph.target(edge);
        const sim::Interval* run = execution(timeline, consumer);
        if (run == nullptr) {
            continue;
        }
        const bool waited = opOf(intervalOr(timeline, run->lastInput)) == op;
        const bool better = best == kNoOp || (waited && !bestWaited) ||
                            (waited == bestWaited && run->start < bestStart);
        if (better) {
            best = consumer;
            bestWaited = waited;
            bestStart = run->start;
        }
    }
    return best;
}

OpId waitedFor(const sim::Timeline& timeline, OpId op) {
    const sim::Interval* current = execution(timeline, op);
    return current == nullptr ? kNoOp : opOf(intervalOr(timeline, current->causeInterval));
}

std::set<OpId> endsOfTransfer(const sim::Timeline& timeline, const graph::Graph& graph,
                              const sim::Interval& transfer) {
    std::set<OpId> ops{transfer.op};
    if (transfer.edge != kNoEdge) {
        ops.insert(graph.target(transfer.edge));
        return ops;
    }
    for (EdgeId edge = graph.firstOutEdge(transfer.op); edge < graph.endOutEdge(transfer.op);
         ++edge) {
        const sim::Interval* consumer = execution(timeline, graph.target(edge));
        if (consumer != nullptr && consumer->device == transfer.to) {
            ops.insert(consumer->op);
        }
    }
    return ops;
}

} // namespace doppler::views
