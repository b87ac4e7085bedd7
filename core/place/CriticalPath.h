#pragma once

#include "core/place/ListSchedule.h"

namespace doppler::place {

/// List scheduling: the ready op of largest b-level goes to the device of earliest start on like
/// devices, of earliest finish on unlike ones. Ties, of ops and devices, by chance.
ListSchedule criticalPathSchedule(const sim::Problem& problem, std::uint64_t seed,
                                  MemoryCount memory = MemoryCount::Off);

/// The best of a few draws of the ties, as simulated (of one draw on large graphs).
sim::Assignment bestCriticalPath(const std::shared_ptr<const sim::Problem>& problem,
                                 std::uint64_t seed);

} // namespace doppler::place
