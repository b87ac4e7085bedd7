#pragma once

#include "core/cluster/Profile.h"
#include "core/sim/Problem.h"

namespace doppler::sim {

/// makeProblem() with costs that were measured on the cluster. Throws InputError as that does, and
/// for a profile of other devices.
std::shared_ptr<const Problem> makeProfiledProblem(std::shared_ptr<const graph::Graph> graph,
                                                   std::shared_ptr<const cluster::Cluster> cluster,
                                                   const cluster::Profile& profile,
                                                   const SimOptions& options);

} // namespace doppler::sim
