#pragma once

#include <optional>
#include <vector>

#include "core/sim/LeastCosts.h"

namespace doppler::sim {

/// By op: the least time before it can start, and between its end and the end of everything.
struct HeadsAndTails {
    std::vector<Time> heads;
    std::vector<Time> tails;
};

/// Heads and tails along paths of least compute times, transfers free unless pins force them.
HeadsAndTails computePaths(const Problem& problem, const LeastCosts& least);

/// The dynamic program L(v,d) = p(v,d) + max over parents u of min over d' (L(u,d') +
/// transfer(d',d)), run both ways.
struct DevicePaths {
    HeadsAndTails least; ///< minima over the devices an op may use
    Time bound = 0;      ///< max over ops of min over devices of head + time + tail there
};

/// Nothing where the table of ops x devices would be too large.
std::optional<DevicePaths> devicePaths(const Problem& problem);

/// Longest head + compute + tail.
Time longestPath(const LeastCosts& least, const HeadsAndTails& paths);

} // namespace doppler::sim
