#pragma once

#include <memory>

#include "core/io/TraceTimeline.h"
#include "views/gantt/GanttTrack.h"

namespace doppler::views {

/// A foreign trace as a timeline that the Gantt can paint: each lane a device with a caption, each
/// span an op without dependencies. Only to look at: its ops are not those of any open graph, and
/// executionOf is empty. What is more than fits (lanes, calls within calls) is left out, and the
/// description says so.
GanttTrack traceTrack(const io::TraceTimeline& trace);

/// "17 lanes · 2,400 spans · from a trace".
QString traceSummary(const io::TraceTimeline& trace);

} // namespace doppler::views
