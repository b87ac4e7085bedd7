#pragma once

#include <QString>

#include "views/gantt/GanttTrack.h"

namespace doppler::views {

/// What a hover card says about an interval, as rich text: a bold title and a few short lines.
QString intervalText(const GanttTrack& track, std::int32_t interval);

/// The same op in one line, for assistive technology: "mm 28, contraction, device B, 132.6 ms to
/// 145.8 ms, critical".
QString spokenText(const GanttTrack& track, OpId op);

} // namespace doppler::views
