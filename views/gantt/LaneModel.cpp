#include "views/gantt/LaneModel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

namespace doppler::views {

namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

/// Cuts overlapping spans into stretches of constant count. `row` is by start.
LaneRow occupancy(const LaneRow& row) {
    LaneRow result;
    std::priority_queue<std::pair<Time, std::int32_t>, std::vector<std::pair<Time, std::int32_t>>,
                        std::greater<>>
        running; // (end, interval)
    Time now = 0;
    const auto advance = [&](Time to) {
        while (!running.empty() && now < to) {
            const Time until = std::min(to, running.top().first);
            if (until > now) {
                result.push_back(
                    {now, until, running.top().second, static_cast<std::int32_t>(running.size())});
            }
            now = until;
            while (!running.empty() && running.top().first <= now) {
                running.pop();
            }
        }
        now = to;
    };
    for (const LaneSpan& span : row) {
        advance(span.start);
        running.push({span.end, span.interval});
    }
    while (!running.empty()) {
        advance(running.top().first);
    }
    return result;
}

bool overlaps(const LaneRow& row) {
    for (std::size_t i = 1; i < row.size(); ++i) {
        if (row[i].start < row[i - 1].end) {
            return true;
        }
    }
    return false;
}

} // namespace

std::pair<std::size_t, std::size_t> visibleSpans(const LaneRow& row, double from, double to) {
    const auto first = std::partition_point(row.begin(), row.end(), [from](const LaneSpan& span) {
        return static_cast<double>(span.end) < from;
    });
    const auto last = std::partition_point(first, row.end(), [to](const LaneSpan& span) {
        return static_cast<double>(span.start) <= to;
    });
    return {static_cast<std::size_t>(first - row.begin()),
            static_cast<std::size_t>(last - row.begin())};
}

LaneModel::LaneModel(const sim::Timeline& timeline)
    : devices_(at(timeline.deviceCount)), rows_(timeline.intervals.size(), 0) {
    for (std::size_t i = 0; i < timeline.intervals.size(); ++i) {
        const sim::Interval& interval = timeline.intervals[i];
        const auto index = static_cast<std::int32_t>(i);
        if (interval.isTransfer()) {
            addTransfer(timeline, index);
            continue;
        }
        DeviceLane& lane = devices_[at(interval.device)];
        lane.compute.resize(std::max(lane.compute.size(), at(interval.slot) + 1));
        lane.compute[at(interval.slot)].push_back({interval.start, interval.end, index, 1});
        lane.executions.push_back(index);
        rows_[i] = static_cast<std::int8_t>(interval.slot);
    }
    for (DeviceLane& lane : devices_) {
        lane.compute.resize(std::max<std::size_t>(lane.compute.size(), 1));
        if (lane.links.size() == kLinkRows && overlaps(lane.links.back())) {
            lane.links.back() = occupancy(lane.links.back());
        }
    }
}

void LaneModel::addTransfer(const sim::Timeline& timeline, std::int32_t index) {
    const sim::Interval& transfer = timeline.intervals[at(index)];
    std::vector<LaneRow>& rows = devices_[at(transfer.device)].links;
    std::size_t row = 0;
    while (row < rows.size() && rows[row].back().end > transfer.start) {
        ++row;
    }
    row = std::min(row, kLinkRows - 1);
    rows.resize(std::max(rows.size(), row + 1));
    rows[row].push_back({transfer.start, transfer.end, index, 1});
    rows_[at(index)] = static_cast<std::int8_t>(row);
}

std::optional<Time> LaneModel::nearestEdge(DeviceId device, double time) const {
    std::optional<Time> best;
    const auto consider = [&](Time edge) {
        if (!best || std::fabs(static_cast<double>(edge) - time) <
                         std::fabs(static_cast<double>(*best) - time)) {
            best = edge;
        }
    };
    const DeviceLane& lane = devices_[at(device)];
    for (const std::vector<LaneRow>* rows : {&lane.compute, &lane.links}) {
        for (const LaneRow& row : *rows) {
            const std::size_t next = visibleSpans(row, time, time).first;
            for (std::size_t i = next == 0 ? 0 : next - 1; i < std::min(next + 1, row.size());
                 ++i) {
                consider(row[i].start);
                consider(row[i].end);
            }
        }
    }
    return best;
}

} // namespace doppler::views
