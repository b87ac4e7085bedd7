#pragma once

#include <optional>
#include <string>

#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::sim {

/// The invariants of every timeline, simulated or real. Returns the first violation in words, or
/// nothing:
/// - each op runs once, on its device, for its time (checked only if `exactDurations`, without
///   random durations); each value that crosses devices is moved once, as the sharing option says;
/// - no op before its inputs are there, no transfer before its value is; `ready` says when;
/// - no lane used twice at once (compute slots, links as the contention option says, processors);
/// - no idle lane while something that is ready wants it, unless the options hold ops back:
///   processors and barriers are then waited for, and with memory held nothing is checked;
/// - causes point backwards and explain the start; makespan and order are right.
///
/// `tolerance`: how long a start may lag behind what it waited for. 0 for simulated timelines;
/// the latency of dispatch for measured ones.
std::optional<std::string> findViolation(const Problem& problem, const Assignment& assignment,
                                         const Timeline& timeline, bool exactDurations = true,
                                         Time tolerance = 0);

} // namespace doppler::sim
