#pragma once

#include <string_view>
#include <vector>

#include "core/cluster/Cluster.h"

namespace doppler::engine {

/// Numbers of the processors that this process may use; at least one.
std::vector<int> usableProcessors();

/// Processors that a runtime's devices and copies share because there are fewer of them than
/// devices and slots; 0: each device has its own.
int sharedProcessors(std::string_view runtime, const cluster::Cluster& cluster);

} // namespace doppler::engine
