#pragma once

#include <vector>

#include "core/learn/GraphFeatures.h"

namespace doppler::learn {

/// Classes of ops that no network can tell apart and that cost the same: equal features (to 1e-6),
/// compute times and pins, equal edges from and to ops of equal classes, and b-paths and t-paths
/// through equal classes, however far (colour refinement until nothing changes). By op, numbered
/// from 0 in the order of the ops; the blocks of one operation mostly share a class. Empty if all
/// ops differ.
std::vector<int> alikeOps(const sim::Problem& problem, const GraphFeatures& graph);

} // namespace doppler::learn
