#pragma once

#include <functional>
#include <stop_token>

#include "core/learn/ProblemState.h"
#include "core/learn/WorkerPool.h"

namespace doppler::learn {

/// Evaluations of one chain of annealing that are worth their time on a problem of this size: about
/// `seconds` of one core, up to a number at which little improves any more.
std::int64_t annealingEvaluations(const sim::Problem& problem, double seconds);

/// Placements found by annealing, each from a seed of its own, as episodes to imitate; `report`
/// hears the share done. Returns those it has when stopped, but at least one.
std::vector<Episode> annealedTeachers(const ProblemState& state, int count, double secondsEach,
                                      std::uint64_t seed, std::stop_token stop,
                                      const std::function<void(double)>& report);

/// The choices of the critical-path heuristic, op by op, ties drawn by `seed`.
Episode criticalPathTeacher(const ProblemState& state, std::uint64_t seed);

/// Short annealing from each of the starts, in parallel; the results as episodes.
std::vector<Episode> polished(const ProblemState& state, WorkerPool& pool,
                              const std::vector<const sim::Assignment*>& starts,
                              std::int64_t evaluations, std::uint64_t seed, std::stop_token stop);

} // namespace doppler::learn
