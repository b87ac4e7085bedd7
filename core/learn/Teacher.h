#pragma once

#include <functional>
#include <stop_token>

#include "core/learn/ProblemState.h"
#include "core/learn/WorkerPool.h"

namespace doppler::learn {

/// Evaluations of one chain of annealing that are worth their time on a problem of this size: about
/// `seconds` of one core, up to a number at which little improves any more.
std::int64_t annealingEvaluations(const sim::Problem& problem, double seconds);

/// How a placement to imitate is found.
struct TeacherSearch {
    /// Of the shipped general policies, as many are tuned on the problem.
    int policies = 12;
    /// Then so many of the best distinct placements are annealed, the critical path's among them;
    /// 0: none, and what the policies came to is imitated.
    int annealed = 4;
    /// Of one core, for each policy and for each annealing.
    double tuningSeconds = 0.5;
    double annealingSeconds = 2.5;
    std::uint64_t seed = 1;
};

/// The best placement that the general policies came to when tuned on the problem, and that
/// annealing made of those. It depends on `search` alone, not on the number of threads; stopped,
/// it returns the best so far. `report` hears the share done, from the calling thread.
Episode findTeacher(const ProblemState& state, WorkerPool& pool, const TeacherSearch& search,
                    const std::stop_token& stop, const std::function<void(double)>& report);

/// The choices of the critical-path heuristic, op by op, ties drawn by `seed`. Drawn anew for each
/// episode they teach a policy to hold what ties for equally good: one that knew a single placement
/// by heart would have nothing left to choose from, and learn nothing from its episodes.
Episode criticalPathTeacher(const ProblemState& state, std::uint64_t seed);

/// Short annealing from each of the starts, in parallel; the results as episodes.
std::vector<Episode> polished(const ProblemState& state, WorkerPool& pool,
                              const std::vector<const sim::Assignment*>& starts,
                              std::int64_t evaluations, std::uint64_t seed, std::stop_token stop);

} // namespace doppler::learn
