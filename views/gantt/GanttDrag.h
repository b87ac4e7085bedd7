#pragma once

#include "views/gantt/GanttInput.h"

namespace doppler::views {

/// What a pressed button is doing. Up to the drag distance every press may still be a click.
struct GanttInput::Drag {
    enum class Kind { Click, Pan, MoveOps, RubberBand, Measure, PlayHead };
    Kind kind = Kind::Click;
    QPointF start;
    QPointF last;
    bool moved = false;
    bool toggle = false; ///< Ctrl was down

    // MoveOps
    std::set<OpId> ops;
    DeviceId device = kNoDevice; ///< where they are now
    int key = -1;
    int placement = -1; ///< that the ops belong to
    int undoIndex = 0;  ///< of the history before the drag
    Time makespan = 0;  ///< before the drag

    // Measure
    Time from = 0;
};

} // namespace doppler::views
