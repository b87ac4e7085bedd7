#include "views/gantt/TraceTrack.h"

#include <QObject>
#include <algorithm>
#include <numeric>

#include "core/graph/GraphBuilder.h"
#include "views/format/Format.h"

namespace doppler::views {

namespace {

constexpr std::size_t kMostLanes = 100;
constexpr std::int32_t kMostRows = 24; // of one lane

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

/// By lane of the trace: the device it becomes, or kNoDevice. The busiest lanes are shown, in the
/// order of the trace; lanes without spans never.
std::vector<DeviceId> shownLanes(const io::TraceTimeline& trace) {
    std::vector<std::size_t> busiest(trace.lanes.size());
    std::iota(busiest.begin(), busiest.end(), std::size_t{0});
    std::stable_sort(busiest.begin(), busiest.end(), [&](std::size_t a, std::size_t b) {
        return trace.lanes[a].busy > trace.lanes[b].busy;
    });
    busiest.resize(std::min(busiest.size(), kMostLanes));
    std::sort(busiest.begin(), busiest.end());
    std::vector<DeviceId> devices(trace.lanes.size(), kNoDevice);
    DeviceId next = 0;
    for (const std::size_t lane : busiest) {
        if (trace.lanes[lane].spans > 0) {
            devices[lane] = next++;
        }
    }
    return devices;
}

std::shared_ptr<const cluster::Cluster> clusterOf(const std::vector<QString>& captions) {
    std::vector<cluster::Device> devices;
    for (std::size_t i = 0; i < std::max<std::size_t>(captions.size(), 1); ++i) {
        devices.push_back({.name = std::to_string(i)});
    }
    const std::size_t count = devices.size();
    const cluster::Link link{1, 0, cluster::LinkKind::Uniform, 1.0};
    return std::make_shared<const cluster::Cluster>("trace", std::move(devices),
                                                    std::vector(count * count, link));
}

} // namespace

QString traceSummary(const io::TraceTimeline& trace) {
    return QObject::tr("%1 · %2").arg(
        countOf(static_cast<std::int64_t>(trace.lanes.size()), QObject::tr("lane")),
        countOf(static_cast<std::int64_t>(trace.spans.size()), QObject::tr("span")));
}

GanttTrack traceTrack(const io::TraceTimeline& trace) {
    const std::vector<DeviceId> devices = shownLanes(trace);
    std::vector<QString> captions;
    for (std::size_t lane = 0; lane < devices.size(); ++lane) {
        if (devices[lane] != kNoDevice) {
            captions.push_back(QString::fromStdString(trace.lanes[lane].name));
        }
    }
    graph::GraphBuilder builder(trace.name);
    builder.setFileCostUnit(graph::FileCostUnit::Nanoseconds);
    auto timeline = std::make_shared<sim::Timeline>();
    timeline->deviceCount = static_cast<int>(std::max<std::size_t>(captions.size(), 1));
    timeline->makespan = trace.length;
    std::int64_t hidden = 0;
    for (const io::TraceSpan& span : trace.spans) {
        const DeviceId device = devices[at(span.lane)];
        if (device == kNoDevice || span.row >= kMostRows) {
            ++hidden;
            continue;
        }
        sim::Interval interval;
        interval.op = builder.addOp({.name = trace.names[at(span.name)], .kindName = "span"});
        interval.device = device;
        interval.slot = span.row;
        interval.ready = span.start;
        interval.start = span.start;
        interval.end = span.end;
        timeline->intervals.push_back(interval);
    }
    GanttTrack track;
    track.problem = sim::makeProblem(builder.build(), clusterOf(captions),
                                     cost::CostModel::Published, sim::SimOptions());
    auto lanes = std::make_shared<LaneModel>(*timeline);
    if (captions.empty()) {
        captions.push_back(QObject::tr("nothing was recorded"));
    }
    lanes->setCaptions(std::move(captions));
    track.lanes = std::move(lanes);
    track.timeline = std::move(timeline);
    track.name = QString::fromStdString(trace.name);
    track.description = QObject::tr("trace · %1").arg(traceSummary(trace));
    if (hidden > 0) {
        track.description += QObject::tr(" · %1 not drawn: too many at once")
                                 .arg(countOf(hidden, QObject::tr("span")));
    }
    return track;
}

} // namespace doppler::views
