#pragma once

#include <memory>
#include <vector>

#include "core/cluster/Cluster.h"
#include "core/cost/CostTable.h"
#include "core/graph/Graph.h"
#include "core/sim/SimOptions.h"

namespace doppler::sim {

/// A device for every op, by op id.
using Assignment = std::vector<DeviceId>;

/// Graph + cluster + cost model + simulation options: all that a placer is asked to solve.
struct Problem {
    std::shared_ptr<const graph::Graph> graph;
    std::shared_ptr<const cluster::Cluster> cluster;
    std::shared_ptr<const cost::CostTable> costs;
    SimOptions options;
    /// Device each op must run on, or kNoDevice; empty: nothing is pinned.
    std::vector<DeviceId> pins;

    int opCount() const { return graph->opCount(); }
    int deviceCount() const { return cluster->deviceCount(); }
    /// The device `op` is pinned to, or kNoDevice.
    DeviceId pin(OpId op) const {
        return pins.empty() ? kNoDevice : pins[static_cast<std::size_t>(op)];
    }
};

/// A problem with the graph's own pins. Throws InputError like makeCosts, for a pin beyond the
/// cluster, and for times that could not be added up in 64 bits.
std::shared_ptr<const Problem> makeProblem(std::shared_ptr<const graph::Graph> graph,
                                           std::shared_ptr<const cluster::Cluster> cluster,
                                           cost::CostModel model, const SimOptions& options);

/// Throws InputError if `assignment` has the wrong length or names a device that is not there.
void checkAssignment(const Problem& problem, const Assignment& assignment);

} // namespace doppler::sim
