#pragma once

#include <cstdint>
#include <string>

#include "core/engine/GpuDevices.h"

namespace doppler::engine {

/// This program's version, e.g. "0.1.0".
std::string programVersion();

/// Model of this machine's processors; empty where the system does not say.
std::string processorName();

/// What this machine and this build have to place on and to execute with.
struct SystemInfo {
    std::string version; ///< of this program
    std::string processor;
    int processors = 0; ///< that this process may use
    std::int64_t memoryBytes = 0;
    std::string libTorch; ///< "" without
    GpuDevices cuda;
};

SystemInfo systemInfo();

} // namespace doppler::engine
