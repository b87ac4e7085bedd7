#include "core/sim/MemoryUse.h"

#include <algorithm>
#include <utility>

#include "core/sim/TransferEdges.h"

namespace doppler::sim {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

struct Change {
    Time time;
    DeviceId device;
    std::int64_t bytes; // negative: freed

    // Frees come first among changes of one time.
    bool operator<(const Change& other) const {
        return time != other.time ? time < other.time : bytes < other.bytes;
    }
};

} // namespace

void addInputBytes(const graph::Graph& graph, std::span<const DeviceId> assignment,
                   std::vector<std::uint8_t>& seen, std::vector<std::int64_t>& bytes) {
    const std::size_t inputs = graph.inputs().size();
    if (inputs == 0) {
        return;
    }
    std::fill(seen.begin(), seen.end(), std::uint8_t{0});
    for (OpId op = 0; op < graph.opCount(); ++op) {
        const std::size_t device = at(assignment[at(op)]);
        for (const graph::Use& use : graph.uses(op)) {
            if (use.fromInput && std::exchange(seen[device * inputs + at(use.source)], 1) == 0) {
                bytes[device] += graph.inputs()[at(use.source)].bytes;
            }
        }
    }
}

std::int64_t transferBytes(const graph::Graph& graph, std::span<const DeviceId> assignment,
                           const Interval& transfer) {
    std::int64_t bytes = 0;
    forEachEdgeOf(transfer, graph, assignment,
                  [&](EdgeId edge) { bytes = std::max(bytes, graph.edgeBytes(edge)); });
    return bytes;
}

std::vector<std::int64_t> peakMemory(const Problem& problem, std::span<const DeviceId> assignment,
                                     const Timeline& timeline) {
    const graph::Graph& graph = *problem.graph;
    std::vector<Time> outputEnd(at(graph.opCount()), 0);
    std::vector<Change> changes;
    changes.reserve(2 * timeline.intervals.size());
    const auto hold = [&](Time start, Time end, DeviceId device, std::int64_t bytes) {
        // What lives for no time at all is never seen.
        if (bytes > 0 && end > start) {
            changes.push_back({start, device, bytes});
            changes.push_back({end, device, -bytes});
        }
    };
    for (const Interval& interval : timeline.intervals) {
        outputEnd[at(interval.op)] = std::max(outputEnd[at(interval.op)], interval.end);
        if (interval.isTransfer()) {
            Time end = interval.end;
            forEachEdgeOf(interval, graph, assignment, [&](EdgeId edge) {
                end = std::max(end, timeline.execution(graph.target(edge)).end);
            });
            hold(interval.start, end, interval.to, transferBytes(graph, assignment, interval));
        }
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        const OpId source = graph.source(edge);
        const OpId target = graph.target(edge);
        if (assignment[at(source)] == assignment[at(target)]) {
            outputEnd[at(source)] = std::max(outputEnd[at(source)], timeline.execution(target).end);
        }
    }
    for (OpId op = 0; op < graph.opCount(); ++op) {
        hold(timeline.execution(op).start, outputEnd[at(op)], assignment[at(op)],
             graph.outputBytes(op));
    }

    std::sort(changes.begin(), changes.end());
    const std::size_t devices = at(problem.deviceCount());
    std::vector<std::int64_t> used(devices, 0);
    std::vector<std::uint8_t> seen(devices * graph.inputs().size());
    addInputBytes(graph, assignment, seen, used);
    std::vector<std::int64_t> peak = used;
    for (const Change& change : changes) {
        const std::size_t device = at(change.device);
        used[device] += change.bytes;
        peak[device] = std::max(peak[device], used[device]);
    }
    return peak;
}

} // namespace doppler::sim
