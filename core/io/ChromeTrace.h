#pragma once

#include <string>

#include "core/io/TimelineSource.h"
#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::io {

/// Chrome trace JSON, as Perfetto opens it: a process a device, a thread a lane, flow arrows for
/// transfers. Published units are written as nanoseconds, and the trace says so.
std::string writeChromeTrace(const sim::Problem& problem, const sim::Timeline& timeline,
                             const TimelineSource& source = {});

/// "format": "doppler-timeline/1".
std::string writeTimelineJson(const sim::Problem& problem, const sim::Timeline& timeline,
                              const TimelineSource& source = {});

} // namespace doppler::io
