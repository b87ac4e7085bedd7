#pragma once

#include <span>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::place {

/// Joins the two ends of each edge, in the order given, while the group's mean work stays within
/// `largest`. Returns the group of every op, as the id of one of its ops.
std::vector<OpId> joinHeavyEdges(const sim::Problem& problem, std::span<const EdgeId> order,
                                 double largest);

} // namespace doppler::place
