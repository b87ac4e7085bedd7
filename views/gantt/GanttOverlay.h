#pragma once

#include <QPainter>
#include <QRectF>
#include <optional>
#include <set>

#include "views/gantt/GanttGeometry.h"
#include "views/gantt/GanttTrack.h"

namespace doppler::views {

/// A stretch of time, in order.
struct TimeRange {
    Time from = 0;
    Time to = 0;
    bool operator==(const TimeRange&) const = default;
};

/// An interval of one of the timelines.
struct IntervalRef {
    int track = -1;
    std::int32_t interval = -1;
    bool isValid() const { return interval >= 0; }
    bool operator==(const IntervalRef&) const = default;
};

/// What lies over the timelines and changes with the pointer; cheap to paint.
struct GanttOverlay {
    std::set<OpId> selected;
    DeviceId selectedDevice = kNoDevice;
    OpId hovered = kNoOp;
    IntervalRef hoveredTransfer;
    Time playHead = -1;
    std::optional<TimeRange> ruler;
    QString rulerText; ///< empty: the duration
    QRectF rubberBand;
    int dropTrack = -1; ///< lane that a dragged op would go to
    DeviceId dropDevice = kNoDevice;
    QString pointerText; ///< beside the pointer while dragging: what the move would bring
    QPointF pointer;
    bool focusFrame = false;

    void paint(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry) const;
};

} // namespace doppler::views
