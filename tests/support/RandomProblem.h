#pragma once

#include <cstdint>
#include <memory>

#include "core/sim/Problem.h"

namespace doppler::tests {

enum class GraphShape {
    Layered,        ///< edges from each layer to the next, a few further on
    Sparse,         ///< random edges between any two ops, many parts
    ForkJoin,       ///< one op, many between, one op; repeated
    Chain,          ///< one after the other
    InTree,         ///< every op has at most one consumer
    OutTree,        ///< every op has at most one producer
    SeriesParallel, ///< built by replacing edges
    Independent,    ///< no edges
};

inline constexpr GraphShape kGraphShapes[] = {
    GraphShape::Layered, GraphShape::Sparse,  GraphShape::ForkJoin,       GraphShape::Chain,
    GraphShape::InTree,  GraphShape::OutTree, GraphShape::SeriesParallel, GraphShape::Independent,
};

const char* name(GraphShape shape);

/// What a random problem is like; published costs, integer units.
struct RandomProblemSpec {
    GraphShape shape = GraphShape::Layered;
    int ops = 30;
    int devices = 3;
    int slots = 1;
    /// Costs are drawn from 1..largestCost; small values give many ties.
    Time largestCost = 100;
    /// Mean transfer cost over mean compute cost.
    double communication = 1;
    double zeroCosts = 0;           ///< share of costs that are 0
    bool edgeTransferCosts = false; ///< some edges state costs and bytes of their own
    bool unlikeDevices = false;     ///< devices and links of different speeds
    double pinned = 0;              ///< share of ops that are pinned
    int inputs = 0;                 ///< graph inputs, each used by a few ops
    /// Device capacity as a multiple of an even share of all outputs and inputs; 0: unlimited.
    double capacity = 0;
    sim::SimOptions options;
};

/// Same spec and seed: the same problem.
std::shared_ptr<const sim::Problem> randomProblem(const RandomProblemSpec& spec,
                                                  std::uint64_t seed);

/// A random device for every op; pins are kept.
sim::Assignment randomAssignment(const sim::Problem& problem, std::uint64_t seed);

} // namespace doppler::tests
