#pragma once

/// core/cluster: devices and the links between them. Uses core/graph.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/DType.h"
#include "core/graph/Ids.h"

namespace doppler::cluster {

enum class LinkKind : std::uint8_t { None, NvLink, Pcie, Network, SharedMemory, Uniform };

std::string_view name(LinkKind kind);

/// One processor that runs operations.
struct Device {
    std::string name;  ///< unique in its cluster, e.g. "GPU 0"
    std::string model; ///< e.g. "NVIDIA P100"
    /// Peak rate per element type, FLOP/s, indexed by graph::DType; 0: see flopsPerSecond().
    std::array<double, graph::kDTypeCount> peakFlops{};
    double memoryBytesPerSecond = 0;
    std::int64_t capacityBytes = 0; ///< 0: unlimited
    std::int64_t launchOverheadNs = 0;
    int slots = 1;              ///< ops that run at once
    double relativeSpeed = 1.0; ///< divides published compute costs (1 = as the file says)

    /// Rate for `dtype`: its own, else the f32 one (complex and unknown types count as f32).
    double flopsPerSecond(graph::DType dtype) const;

    bool operator==(const Device&) const = default;
};

/// A directed connection. Kind None: the pair cannot communicate (not allowed in a Cluster).
struct Link {
    double bytesPerSecond = 0;
    std::int64_t latencyNs = 0;
    LinkKind kind = LinkKind::None;
    /// Divides published transfer costs (1 = as the file says).
    double relativeSpeed = 1.0;

    bool operator==(const Link&) const = default;
};

/// Devices plus a D x D table of directed links; an immutable value.
class Cluster {
public:
    /// `links` is row-major, from * D + to; the diagonal is ignored. Throws InputError for: no
    /// devices, a repeated or empty device name, a size mismatch, a link without bandwidth,
    /// a negative or non-finite number.
    Cluster(std::string name, std::vector<Device> devices, std::vector<Link> links);

    const std::string& name() const { return name_; }
    int deviceCount() const { return static_cast<int>(devices_.size()); }
    const Device& device(DeviceId id) const { return devices_[static_cast<std::size_t>(id)]; }
    const std::vector<Device>& devices() const { return devices_; }
    const Link& link(DeviceId from, DeviceId to) const {
        return links_[static_cast<std::size_t>(from * deviceCount() + to)];
    }
    /// All devices and all links alike (names apart): renaming devices changes nothing.
    bool isUniform() const;
    /// The device with that name, or kNoDevice.
    DeviceId deviceByName(std::string_view name) const;

    bool operator==(const Cluster&) const = default;

private:
    std::string name_;
    std::vector<Device> devices_;
    std::vector<Link> links_;
};

/// N identical devices, all pairs alike (the natural cluster for published costs): 10 TFLOP/s
/// f32, 5 GB/s links of 10 us latency. Throws InputError unless 1 <= n <= 1024.
Cluster uniformCluster(int n);

/// N devices that stand for the processors of this machine. Throws InputError like uniformCluster.
Cluster cpuCluster(int n);

} // namespace doppler::cluster
