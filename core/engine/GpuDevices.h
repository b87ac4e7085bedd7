#pragma once

/// core/engine: what really executes, and what this machine has to execute on. Uses all of core
/// above it. LibTorch headers only in core/engine/cpu, CUDA headers only in core/engine/cuda, both
/// behind plain interfaces.

#include <cstdint>
#include <string>
#include <vector>

namespace doppler::engine {

/// What the CUDA driver says about one GPU.
struct Gpu {
    std::string name; ///< "NVIDIA H100 80GB HBM3"
    int computeMajor = 0;
    int computeMinor = 0;
    int multiprocessors = 0;
    double clockHz = 0; ///< peak
    std::int64_t memoryBytes = 0;
    double memoryBytesPerSecond = 0; ///< from bus width and memory clock
    int singleToDoubleRatio = 0;     ///< f32 rate over f64 rate
};

enum class GpuLink : std::uint8_t {
    ThroughHost, ///< no direct access: copies go through host memory
    Pcie,        ///< direct access without native atomics
    NvLink,      ///< direct access with native atomics
};

/// The GPUs of this machine.
struct GpuDevices {
    std::vector<Gpu> gpus;
    std::vector<GpuLink> links; ///< row-major, from * gpus.size() + to; the diagonal means nothing
    std::string message;        ///< why there are none; empty if there are some
    std::string toolkit;        ///< CUDA toolkit that this program was built with, "" without
    std::string driver;         ///< newest CUDA version that the driver knows, "" without one
    std::string nccl;           ///< NCCL that this program was built with, "" without
};

/// Asks the driver; never throws. Built without CUDA: no GPUs, and the message says so.
GpuDevices findGpus();

} // namespace doppler::engine
