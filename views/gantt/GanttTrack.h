#pragma once

#include <QBrush>
#include <QString>
#include <memory>
#include <vector>

#include "core/sim/Problem.h"
#include "core/sim/Report.h"
#include "core/sim/Timeline.h"
#include "views/gantt/LaneModel.h"
#include "views/theme/Theme.h"

namespace doppler::views {

/// One timeline, ready to be drawn.
struct GanttTrack {
    std::shared_ptr<const sim::Problem> problem;
    std::shared_ptr<const sim::Timeline> timeline;
    std::shared_ptr<const sim::Report> report;
    std::shared_ptr<const LaneModel> lanes;
    QString letter;      ///< "A" or "B" when two placements are compared
    QString name;        ///< "Simulated", or the placement's label
    QString description; ///< "default preset, contention per pair"
    bool dimmed = false; ///< shows what was before the running simulation

    const sim::Interval& interval(std::int32_t index) const {
        return timeline->intervals[static_cast<std::size_t>(index)];
    }
};

/// All that the painters of the Gantt need besides the geometry.
struct GanttScene {
    Theme theme;
    std::vector<DeviceStyle> devices;
    std::vector<QBrush> hatches;
    std::vector<GanttTrack> tracks;
    Time bound = 0; ///< 0: none known
    bool criticalChain = true;
    bool links = true;

    cost::TimeUnit unit() const {
        return tracks.empty() ? cost::TimeUnit::Nanoseconds : tracks.front().problem->costs->unit();
    }
    const DeviceStyle& device(DeviceId id) const { return devices[static_cast<std::size_t>(id)]; }
    /// The latest of bound and makespans.
    Time end() const;
    /// Sets theme and device styles for all devices of the tracks.
    void setTheme(const Theme& newTheme);
};

/// "default preset, contention per pair": the simulation's options in words.
QString simulationText(const sim::SimOptions& options);

} // namespace doppler::views
