#pragma once

#include <limits>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::sim {

/// Stands for "impossible" in bounds; far from overflow when added up.
inline constexpr Time kNever = std::numeric_limits<Time>::max() / 8;

/// What each op and each edge costs at least, whatever the assignment. A copy that several edges
/// share takes as long as the longest of them, so an edge's own time always counts.
struct LeastCosts {
    /// By op: time on the fastest device it may run on.
    std::vector<Time> compute;
    /// By edge: time between the two devices of the fastest pair, if its ends run on different
    /// devices. kNever where they cannot (one device, or both ends pinned to the same).
    std::vector<Time> transfer;
    /// By edge: true if its ends are pinned to different devices.
    std::vector<bool> alwaysMoves;
};

LeastCosts leastCosts(const Problem& problem);

} // namespace doppler::sim
