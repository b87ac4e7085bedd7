#pragma once

#include <optional>
#include <string>

#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::sim {

/// The invariants of every timeline, simulated or real: each op runs once, on its device, for its
/// time (checked only if `exactDurations`); no op before its inputs are there; no lane used twice
/// at once (compute slots, and links as the contention option says); no idle device while an op
/// assigned to it is ready, unless the options hold ops back (memory, cores, bulk-synchronous);
/// causes point backwards and explain the start. Returns the first violation in words, or nothing.
std::optional<std::string> findViolation(const Problem& problem, const Assignment& assignment,
                                         const Timeline& timeline, bool exactDurations = true);

} // namespace doppler::sim
