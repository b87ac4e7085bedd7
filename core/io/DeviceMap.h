#pragma once

#include <string>

#include "core/cluster/Cluster.h"
#include "core/graph/Graph.h"
#include "core/sim/Problem.h"

namespace doppler::io {

/// Throws InputError if two ops share a name: a device map could hold only one of them.
void checkDeviceMap(const graph::Graph& graph);

/// A bare JSON object {op name: device name}, the device map that other tools take; readable again
/// with parseAssignment(). Throws like checkDeviceMap().
std::string writeDeviceMap(const sim::Assignment& assignment, const graph::Graph& graph,
                           const cluster::Cluster& cluster);

} // namespace doppler::io
