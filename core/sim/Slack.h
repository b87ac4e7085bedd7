#pragma once

#include <vector>

#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::sim {

/// By op: how much later it could end without a longer makespan, if every lane (compute slots, and
/// links as the contention option says) kept its order and whatever else a start waited for
/// (memory, processors, barriers) stayed its cause.
std::vector<Time> slackOf(const Problem& problem, const Assignment& assignment,
                          const Timeline& timeline);

} // namespace doppler::sim
