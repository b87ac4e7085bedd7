#pragma once

#include <span>

#include "core/sim/AreaBound.h"
#include "core/sim/PathBounds.h"

namespace doppler::sim {

/// All ops of a set lie between its least head and its least tail, and take their area there: the
/// best set under each of the weights, found by Jackson's preemptive schedule on one machine of
/// the cluster's weighted speed.
Time headTailBound(std::span<const WeightedWork> works, const HeadsAndTails& paths);

} // namespace doppler::sim
