#pragma once

#include <cstdint>
#include <memory>

#include "core/sim/Problem.h"

namespace doppler::place {

/// A random problem to train general policies on, and to measure them: the same for a seed on every
/// machine. 24 to 420 ops on 2 to 8 devices: transformer-like blocks, matrix chains, feed-forward
/// networks, cut at random; layered, fork-join, series-parallel graphs and trees. Transfers cost 4
/// times the compute of their producer (60 %), another multiple (15 %), or go by output size (25
/// %). Some have unlike devices or links, contention, ids in another topological order.
std::shared_ptr<const sim::Problem> generatedProblem(std::uint64_t seed);

/// The same with like devices and the simulator's published preset only.
std::shared_ptr<const sim::Problem> generatedPlainProblem(std::uint64_t seed);

} // namespace doppler::place
