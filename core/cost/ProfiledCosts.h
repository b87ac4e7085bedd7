#pragma once

#include <memory>
#include <string>

#include "core/cluster/Profile.h"
#include "core/cost/CostTable.h"

namespace doppler::cost {

/// What decides how long an op computes on a given device: operator, element type, shapes of the
/// output and of all it reads, FLOPs. Ops with equal keys are one kernel to a profile:
/// "matmul f32 250x250 <- f32 250x250, f32 250x250; 31250000 FLOP".
std::string kernelKey(const graph::Graph& graph, OpId op);

/// Measured times: the kernel's time on the device's class, times the device's factor; links as
/// fitted. Ops and links that the profile lacks take what physicalCosts says. Nanoseconds. Throws
/// InputError as physicalCosts, and for a profile of other devices.
std::shared_ptr<const CostTable> profiledCosts(const graph::Graph& graph,
                                               const cluster::Cluster& cluster,
                                               const cluster::Profile& profile);

/// How much of a graph on a cluster a profile covers.
struct ProfileCoverage {
    int ops = 0;         ///< all
    int measuredOps = 0; ///< that have a measured time on every class of devices
    int links = 0;       ///< classes of links
    int measuredLinks = 0;

    bool complete() const { return measuredOps == ops && measuredLinks == links; }
};

/// Throws as profiledCosts.
ProfileCoverage profileCoverage(const graph::Graph& graph, const cluster::Cluster& cluster,
                                const cluster::Profile& profile);

} // namespace doppler::cost
