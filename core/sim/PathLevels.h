#pragma once

#include <vector>

#include "core/sim/Problem.h"

namespace doppler::sim {

/// b-level of each op: the mean time from its start to the end of the graph along the longest
/// path, transfers included (mean compute over devices, mean transfer over links). What
/// "critical path first" ranks by (DOPPLER section 4; upward rank of HEFT).
std::vector<double> bLevels(const Problem& problem);

/// t-level of each op: the mean time from the start of the graph to the op's start along the
/// longest path, transfers included.
std::vector<double> tLevels(const Problem& problem);

} // namespace doppler::sim
