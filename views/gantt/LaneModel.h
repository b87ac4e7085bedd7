#pragma once

#include <QString>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/sim/Timeline.h"

namespace doppler::views {

/// A stretch of a row that is drawn as one bar.
struct LaneSpan {
    Time start = 0;
    Time end = 0;
    std::int32_t interval = -1; ///< index into Timeline::intervals; of several, the first
    std::int32_t count = 1;     ///< transfers under way at once (an occupancy bar when > 1)
};

/// Spans by start; they do not overlap.
using LaneRow = std::vector<LaneSpan>;

/// First and one past the last span that touches [from, to].
std::pair<std::size_t, std::size_t> visibleSpans(const LaneRow& row, double from, double to);

/// A row of each compute slot, and up to three rows of outgoing transfers.
struct DeviceLane {
    std::vector<LaneRow> compute;
    std::vector<LaneRow> links;
    /// Intervals of its executions in order of start, over all slots.
    std::vector<std::int32_t> executions;
};

/// Where each interval of a timeline is drawn: executions in the row of their slot; transfers in
/// the sender's lane, on the first free row of three. When all three are taken, the third shows
/// how many transfers share it.
class LaneModel {
public:
    static constexpr std::size_t kLinkRows = 3;

    LaneModel() = default;
    /// The timeline must outlive nothing: all that is needed is copied.
    explicit LaneModel(const sim::Timeline& timeline);

    /// Lines above the lanes that name them, one a device: for lanes that no chip tells.
    void setCaptions(std::vector<QString> captions) { captions_ = std::move(captions); }
    bool hasCaptions() const { return !captions_.empty(); }
    const QString& caption(DeviceId device) const {
        return captions_[static_cast<std::size_t>(device)];
    }

    int deviceCount() const { return static_cast<int>(devices_.size()); }
    const DeviceLane& device(DeviceId device) const {
        return devices_[static_cast<std::size_t>(device)];
    }
    /// Row of an interval: its slot, or its link row.
    int rowOf(std::int32_t interval) const { return rows_[static_cast<std::size_t>(interval)]; }

    /// Start or end nearest to `time` among the spans of a device, links included.
    std::optional<Time> nearestEdge(DeviceId device, double time) const;

private:
    void addTransfer(const sim::Timeline& timeline, std::int32_t index);

    std::vector<DeviceLane> devices_;
    std::vector<std::int8_t> rows_;
    std::vector<QString> captions_;
};

} // namespace doppler::views
