#pragma once

#include <memory>
#include <string>

#include "core/cluster/Cluster.h"
#include "core/engine/GpuDevices.h"

namespace doppler::engine {

struct DetectedCluster {
    std::shared_ptr<const cluster::Cluster> cluster;
    std::string message; ///< one sentence: what was found, or what stands in for it and why
};

/// A cluster of the GPUs of this machine; without any, of its processors (cpu:N).
DetectedCluster detectCluster();

/// The same from what the driver said. Rates are peaks estimated from architecture, number of
/// multiprocessors and clock; link rates are those usual for the kind of link and architecture.
/// A measured profile is better. `devices` must hold at least one GPU.
cluster::Cluster clusterFromGpus(const GpuDevices& devices);

} // namespace doppler::engine
