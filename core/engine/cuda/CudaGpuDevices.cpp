#include <cuda_runtime_api.h>

#ifdef DOPPLER_HAS_NCCL
#include <nccl.h>
#endif

#include "core/engine/GpuDevices.h"

namespace doppler::engine {

namespace {

/// 13000 -> "13.0", as CUDA numbers its versions.
std::string cudaVersion(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

double attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

Gpu describe(int device) {
    constexpr double kHzPerKilohertz = 1000;
    constexpr double kBitsPerByte = 8;
    constexpr double kTransfersPerClock = 2; // double data rate
    Gpu gpu;
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) == cudaSuccess) {
        gpu.name = properties.name;
        gpu.computeMajor = properties.major;
        gpu.computeMinor = properties.minor;
        gpu.multiprocessors = properties.multiProcessorCount;
        gpu.memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    }
    gpu.clockHz = attribute(cudaDevAttrClockRate, device) * kHzPerKilohertz;
    gpu.memoryBytesPerSecond = attribute(cudaDevAttrMemoryClockRate, device) * kHzPerKilohertz *
                               kTransfersPerClock *
                               attribute(cudaDevAttrGlobalMemoryBusWidth, device) / kBitsPerByte;
    gpu.singleToDoubleRatio =
        static_cast<int>(attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio, device));
    return gpu;
}

GpuLink linkBetween(int from, int to) {
    const auto has = [&](cudaDeviceP2PAttr which) {
        int value = 0;
        return cudaDeviceGetP2PAttribute(&value, which, from, to) == cudaSuccess && value != 0;
    };
    if (from == to || !has(cudaDevP2PAttrAccessSupported)) {
        return GpuLink::ThroughHost;
    }
    return has(cudaDevP2PAttrNativeAtomicSupported) ? GpuLink::NvLink : GpuLink::Pcie;
}

} // namespace

GpuDevices findGpus() {
    GpuDevices devices;
    devices.toolkit = cudaVersion(CUDART_VERSION);
#ifdef DOPPLER_HAS_NCCL
    devices.nccl = std::to_string(NCCL_MAJOR) + "." + std::to_string(NCCL_MINOR) + "." +
                   std::to_string(NCCL_PATCH);
#endif
    int driver = 0;
    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0) {
        devices.driver = cudaVersion(driver);
    }
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
        devices.message = status == cudaSuccess ? "the driver knows no GPU"
                          : driver == 0         ? "there is no CUDA driver"
                                                : cudaGetErrorString(status);
        return devices;
    }
    for (int from = 0; from < count; ++from) {
        devices.gpus.push_back(describe(from));
        for (int to = 0; to < count; ++to) {
            devices.links.push_back(linkBetween(from, to));
        }
    }
    return devices;
}

} // namespace doppler::engine
