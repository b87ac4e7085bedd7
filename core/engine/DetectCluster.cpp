#include "core/engine/DetectCluster.h"

#include <algorithm>
#include <array>

#include "core/engine/SystemInfo.h"

namespace doppler::engine {

namespace {

using graph::DType;

/// Peak arithmetic of one multiprocessor per clock, and the links of one architecture, from
/// NVIDIA's architecture white papers. An unlisted GPU counts as the newest listed one before it.
struct Architecture {
    int major;
    int minor;
    double f32PerClock; ///< FLOP outside of tensor cores
    double f16PerClock; ///< dense FLOP on tensor cores where there are some
    double nvLinkBytes; ///< usual bytes/s in one direction
    double pcieBytes;   ///< the same
};

constexpr std::array<Architecture, 10> kArchitectures = {{
    {6, 0, 128, 256, 20e9, 12e9},
    {6, 1, 256, 256, 0, 12e9},
    {7, 0, 128, 1024, 25e9, 12e9},
    {7, 5, 128, 1024, 25e9, 12e9},
    {8, 0, 128, 2048, 300e9, 25e9},
    {8, 6, 256, 1024, 50e9, 25e9},
    {8, 9, 256, 1024, 0, 25e9},
    {9, 0, 256, 4096, 450e9, 50e9},
    {10, 0, 256, 8192, 900e9, 50e9},
    {12, 0, 256, 1024, 0, 50e9},
}};

constexpr double kHostRelayShare = 0.5; // a copy through host memory crosses PCIe twice
constexpr std::int64_t kLaunchOverheadNs = 5'000;
constexpr std::int64_t kNvLinkLatencyNs = 5'000;
constexpr std::int64_t kPcieLatencyNs = 10'000;
constexpr double kUnknownMemoryRate = 500e9;

const Architecture& architectureOf(const Gpu& gpu) {
    const Architecture* best = &kArchitectures.front();
    for (const Architecture& known : kArchitectures) {
        if (std::pair(known.major, known.minor) <= std::pair(gpu.computeMajor, gpu.computeMinor)) {
            best = &known;
        }
    }
    return *best;
}

cluster::Device deviceOf(const Gpu& gpu, std::size_t index) {
    const Architecture& architecture = architectureOf(gpu);
    const double clocks = std::max(gpu.clockHz, 1.0) * std::max(gpu.multiprocessors, 1);
    cluster::Device device;
    device.name = "GPU " + std::to_string(index);
    device.model = gpu.name;
    const auto rate = [&](DType dtype) -> double& {
        return device.peakFlops[static_cast<std::size_t>(dtype)];
    };
    rate(DType::F32) = clocks * architecture.f32PerClock;
    rate(DType::F16) = clocks * architecture.f16PerClock;
    if (gpu.computeMajor >= 8) {
        rate(DType::BF16) = rate(DType::F16); // older ones have none: the f32 rate counts
    }
    if (gpu.singleToDoubleRatio > 0) {
        rate(DType::F64) = rate(DType::F32) / gpu.singleToDoubleRatio;
    }
    device.memoryBytesPerSecond =
        gpu.memoryBytesPerSecond > 0 ? gpu.memoryBytesPerSecond : kUnknownMemoryRate;
    device.capacityBytes = gpu.memoryBytes;
    device.launchOverheadNs = kLaunchOverheadNs;
    return device;
}

cluster::Link linkOf(GpuLink kind, const Architecture& architecture) {
    if (kind == GpuLink::NvLink && architecture.nvLinkBytes > 0) {
        return {.bytesPerSecond = architecture.nvLinkBytes,
                .latencyNs = kNvLinkLatencyNs,
                .kind = cluster::LinkKind::NvLink};
    }
    const double share = kind == GpuLink::ThroughHost ? kHostRelayShare : 1.0;
    return {.bytesPerSecond = architecture.pcieBytes * share,
            .latencyNs = kPcieLatencyNs,
            .kind = cluster::LinkKind::Pcie};
}

} // namespace

cluster::Cluster clusterFromGpus(const GpuDevices& devices) {
    const std::size_t count = devices.gpus.size();
    std::vector<cluster::Device> found;
    std::vector<cluster::Link> links;
    for (std::size_t from = 0; from < count; ++from) {
        found.push_back(deviceOf(devices.gpus[from], from));
        for (std::size_t to = 0; to < count; ++to) {
            // The older end of a link sets its pace.
            const Architecture& architecture =
                std::min(architectureOf(devices.gpus[from]), architectureOf(devices.gpus[to]),
                         [](const Architecture& a, const Architecture& b) {
                             return a.pcieBytes < b.pcieBytes;
                         });
            links.push_back(linkOf(devices.links[from * count + to], architecture));
        }
    }
    return {"this machine's GPUs", std::move(found), std::move(links)};
}

DetectedCluster detectCluster() {
    const SystemInfo info = systemInfo();
    if (!info.cuda.gpus.empty()) {
        return {.cluster = std::make_shared<const cluster::Cluster>(clusterFromGpus(info.cuda)),
                .message = std::to_string(info.cuda.gpus.size()) +
                           " GPU(s): " + info.cuda.gpus.front().name};
    }
    const int processors = std::max(info.processors, 1);
    return {.cluster = std::make_shared<const cluster::Cluster>(cluster::cpuCluster(processors)),
            .message = "no CUDA device (" + info.cuda.message +
                       "); using cpu:" + std::to_string(processors) + " instead"};
}

} // namespace doppler::engine
