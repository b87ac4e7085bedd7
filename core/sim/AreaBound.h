#pragma once

#include <vector>

#include "core/sim/Problem.h"

namespace doppler::sim {

/// Wide enough to add up the weighted work of any graph.
__extension__ using WideInt = __int128;

/// Work against capacity under one choice of device weights W: for every assignment
///     makespan x sum of W(d) slots(d)  >=  sum over ops of min over d of W(d) p(op, d),
/// the minimum over the devices the op may use. Any non-negative weights give a bound; the best
/// ones give the value of the fractional assignment problem (they are its dual solution).
struct WeightedWork {
    std::vector<WideInt> work; ///< by op
    WideInt capacity = 1;      ///< per unit of time
};

/// One entry with near-optimal weights (exact on like devices), then one for each device that has
/// pinned ops, with that device's weight alone. Empty for an empty graph.
std::vector<WeightedWork> weightedWorks(const Problem& problem);

/// Ceiling of total work / capacity.
Time areaBound(const WeightedWork& work);

} // namespace doppler::sim
