#pragma once

/// views/render: pictures of the views as files, without a window. Needs a QApplication (the
/// "offscreen" platform will do).

#include <QSize>
#include <QString>

#include "core/sim/Problem.h"
#include "core/sim/Report.h"
#include "core/sim/Timeline.h"
#include "views/gantt/GanttTrack.h"
#include "views/theme/Theme.h"

namespace doppler::views {

/// Draws a timeline as the Timelines view shows it (chips, lanes, critical chain, makespan, bound)
/// to a PNG, SVG or PDF file, told by the ending of `path`. Lanes grow or shrink to fill `size`
/// (pixels of 100 % scale). `bound` of 0: no line. Returns false with a sentence in `error` for an
/// unknown ending, a size that holds nothing, or a file that cannot be written.
bool renderGantt(const QString& path, const sim::Problem& problem,
                 const sim::Assignment& assignment, const sim::Timeline& timeline,
                 const sim::Report& report, Time bound, const Theme& theme, QSize size,
                 QString* error);

/// The same for a recorded trace that traceTrack() made a timeline of. An empty `size`: as high as
/// its lanes need.
bool renderTrace(const QString& path, const GanttTrack& track, const Theme& theme, QSize size,
                 QString* error);

} // namespace doppler::views
