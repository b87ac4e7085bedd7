#pragma once

#include <limits>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::sim {

/// Stands for "impossible" in bounds; far from overflow when added up.
inline constexpr Time kNever = std::numeric_limits<Time>::max() / 8;

/// What each op and each edge costs at least, whatever the assignment.
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

/// Time that the value of `edge` needs at least from one device to another. Where copies are
/// shared, the copy may be that of any edge of the same producer: the quickest counts.
Time leastTransfer(const Problem& problem, EdgeId edge, DeviceId from, DeviceId to);

} // namespace doppler::sim
