#include "core/sim/Report.h"

#include <algorithm>

#include "core/sim/MemoryUse.h"
#include "core/sim/Slack.h"

namespace doppler::sim {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Splits the time in which slots do nothing. A slot waits until the last op of its device has
/// started; after that nothing is left for it.
void splitIdleTime(const Problem& problem, const Timeline& timeline, Report& report) {
    std::vector<Time> lastStart(report.devices.size(), 0);
    std::vector<std::vector<Time>> freeSince(report.devices.size());
    for (std::size_t device = 0; device < freeSince.size(); ++device) {
        const int slots = problem.cluster->device(static_cast<DeviceId>(device)).slots;
        freeSince[device].assign(at(slots), 0);
    }
    for (const Interval& interval : timeline.intervals) {
        if (interval.isTransfer()) {
            continue;
        }
        DeviceUse& use = report.devices[at(interval.device)];
        Time& since = freeSince[at(interval.device)][at(interval.slot)];
        const Time idle = std::max<Time>(0, interval.start - since);
        const Time held = interval.cause == Cause::Memory
                              ? interval.start - std::max(interval.ready, interval.start - idle)
                              : 0;
        use.heldForMemory += held;
        use.waitingForInput += idle - held;
        since = std::max(since, interval.end);
        lastStart[at(interval.device)] = interval.start;
    }
    for (std::size_t device = 0; device < freeSince.size(); ++device) {
        DeviceUse& use = report.devices[device];
        for (const Time since : freeSince[device]) {
            const Time waiting = std::max<Time>(0, lastStart[device] - since);
            use.waitingForInput += waiting;
            use.nothingLeft += timeline.makespan - since - waiting;
        }
    }
}

void addTraffic(const Problem& problem, const Assignment& assignment, const Timeline& timeline,
                Report& report) {
    const graph::Graph& graph = *problem.graph;
    report.trafficBytes.assign(report.devices.size() * report.devices.size(), 0);
    for (const Interval& interval : timeline.intervals) {
        if (interval.isTransfer()) {
            const std::int64_t bytes = transferBytes(graph, assignment, interval);
            report.trafficBytes[at(interval.device) * report.devices.size() + at(interval.to)] +=
                bytes;
            report.totalTraffic += bytes;
        }
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        const bool cross = assignment[at(graph.source(edge))] != assignment[at(graph.target(edge))];
        report.crossDeviceEdges += cross ? 1 : 0;
    }
}

void addBalance(const Problem& problem, Report& report) {
    Time total = 0;
    Time busiest = 0;
    int slots = 0;
    for (std::size_t device = 0; device < report.devices.size(); ++device) {
        total += report.devices[device].busy;
        busiest = std::max(busiest, report.devices[device].busy);
        slots += problem.cluster->device(static_cast<DeviceId>(device)).slots;
    }
    if (total > 0) {
        const double mean = static_cast<double>(total) / static_cast<double>(report.devices.size());
        report.imbalance = static_cast<double>(busiest) / mean - 1;
    }
    if (report.makespan > 0) {
        report.meanUtilisation =
            static_cast<double>(total) / (static_cast<double>(report.makespan) * slots);
    }
}

std::vector<std::int32_t> criticalChain(const Timeline& timeline) {
    const auto& intervals = timeline.intervals;
    const auto last =
        std::max_element(intervals.begin(), intervals.end(),
                         [](const Interval& a, const Interval& b) { return a.end < b.end; });
    std::vector<std::int32_t> chain;
    auto index = last == intervals.end() ? -1 : static_cast<std::int32_t>(last - intervals.begin());
    while (index >= 0) {
        chain.push_back(index);
        const std::int32_t cause = intervals[at(index)].causeInterval;
        index = cause < index ? cause : -1; // causes point backwards, or the file is wrong
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

} // namespace

Report makeReport(const Problem& problem, const Assignment& assignment, const Timeline& timeline) {
    Report report;
    report.makespan = timeline.makespan;
    report.devices.resize(at(problem.deviceCount()));
    for (const Interval& interval : timeline.intervals) {
        if (!interval.isTransfer()) {
            report.devices[at(interval.device)].busy += interval.end - interval.start;
            ++report.devices[at(interval.device)].ops;
        }
    }
    for (std::size_t device = 0; device < timeline.peakMemory.size(); ++device) {
        const std::int64_t capacity =
            problem.cluster->device(static_cast<DeviceId>(device)).capacityBytes;
        report.devices[device].peakMemory = timeline.peakMemory[device];
        report.memoryOverflow |= capacity > 0 && timeline.peakMemory[device] > capacity;
    }
    splitIdleTime(problem, timeline, report);
    addTraffic(problem, assignment, timeline, report);
    addBalance(problem, report);
    report.criticalChain = criticalChain(timeline);
    report.slack = slackOf(problem, assignment, timeline);
    return report;
}

} // namespace doppler::sim
