#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::place {

/// For each op the child that should run right after it on its device, or kNoOp; no op is the
/// favourite of two. From the linear program of Hanen and Munier ("An approximation algorithm for
/// scheduling dependent tasks on m processors with small communication delays", 1995) as Baechi
/// has it: least makespan on unlimited like devices, where x of an edge is the share of its
/// transfer that must be paid, at most one edge of an op's ins and one of its outs is free; an edge
/// is the favourite's if x < 0.5. Mean costs.
struct FavouriteChildren {
    std::vector<OpId> child;  ///< by op
    std::vector<OpId> parent; ///< by op: whose favourite it is, or kNoOp
    /// Empty if the linear program was solved; else why favourites are by largest transfer instead.
    std::string note;
};

FavouriteChildren favouriteChildren(const sim::Problem& problem, const std::stop_token& stop = {});

/// The optimum of the linear program, a lower bound for any like devices without limits; for
/// tests. Negative if it was not solved.
double favouriteProgramOptimum(const sim::Problem& problem);

} // namespace doppler::place
