#include "core/cluster/Cluster.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/graph/InputError.h"

namespace doppler::cluster {

namespace {

constexpr int kMaximumDevices = 1024;
constexpr int kMaximumSlots = 1024;
constexpr std::int64_t kLongestDelayNs = 1'000'000'000'000'000; // eleven days
constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

void requireFiniteNonNegative(double value, const std::string& where, const char* what) {
    if (!std::isfinite(value) || value < 0) {
        throw InputError(where, std::string(what) + " " + std::to_string(value),
                         "a finite number of at least 0");
    }
}

std::vector<Link> allPairs(int n, const Link& link) {
    return std::vector<Link>(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), link);
}

std::vector<Device> alike(int n, const char* prefix, Device device) {
    if (n < 1 || n > kMaximumDevices) {
        throw InputError("cluster", std::to_string(n) + " devices",
                         "1 to " + std::to_string(kMaximumDevices));
    }
    std::vector<Device> devices;
    for (int i = 0; i < n; ++i) {
        device.name = std::string(prefix) + " " + std::to_string(i);
        devices.push_back(device);
    }
    return devices;
}

} // namespace

std::string_view name(LinkKind kind) {
    constexpr std::array<std::string_view, 6> kNames{"none",    "nvlink",        "pcie",
                                                     "network", "shared memory", "uniform"};
    return kNames[static_cast<std::size_t>(kind)];
}

double Device::flopsPerSecond(graph::DType dtype) const {
    const double own = peakFlops[static_cast<std::size_t>(dtype)];
    return own > 0 ? own : peakFlops[static_cast<std::size_t>(graph::DType::F32)];
}

Cluster::Cluster(std::string name, std::vector<Device> devices, std::vector<Link> links)
    : name_(std::move(name)), devices_(std::move(devices)), links_(std::move(links)) {
    if (devices_.empty()) {
        throw InputError("cluster \"" + name_ + "\"", "no devices", "at least one");
    }
    if (devices_.size() > static_cast<std::size_t>(kMaximumDevices)) {
        throw InputError("cluster \"" + name_ + "\"", std::to_string(devices_.size()) + " devices",
                         "at most " + std::to_string(kMaximumDevices));
    }
    if (links_.size() != devices_.size() * devices_.size()) {
        throw InputError("cluster \"" + name_ + "\"", std::to_string(links_.size()) + " links",
                         std::to_string(devices_.size() * devices_.size()) +
                             " (one for each ordered pair)");
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        const Device& device = devices_[i];
        const std::string where = "device " + std::to_string(i) + " (\"" + device.name + "\")";
        if (device.name.empty() || !names.insert(device.name).second) {
            throw InputError(where, device.name.empty() ? "an empty name" : "a repeated name",
                             "a name of its own");
        }
        for (const double rate : device.peakFlops) {
            requireFiniteNonNegative(rate, where, "FLOP/s of");
        }
        requireFiniteNonNegative(device.memoryBytesPerSecond, where, "memory bandwidth");
        requireFiniteNonNegative(device.relativeSpeed, where, "relative speed");
        if (device.relativeSpeed <= 0 || device.slots < 1 || device.slots > kMaximumSlots ||
            device.capacityBytes < 0 || device.launchOverheadNs < 0 ||
            device.launchOverheadNs > kLongestDelayNs) {
            throw InputError(where,
                             "a relative speed, slot count, capacity or launch overhead out "
                             "of range",
                             "speed above 0, 1 to " + std::to_string(kMaximumSlots) +
                                 " slots, the others at least 0");
        }
    }
    const std::size_t count = devices_.size();
    for (std::size_t from = 0; from < count; ++from) {
        for (std::size_t to = 0; to < count; ++to) {
            Link& link = links_[from * count + to];
            if (from == to) {
                link = Link{};
                continue;
            }
            const std::string where =
                "link from \"" + devices_[from].name + "\" to \"" + devices_[to].name + "\"";
            requireFiniteNonNegative(link.bytesPerSecond, where, "bandwidth");
            requireFiniteNonNegative(link.relativeSpeed, where, "relative speed");
            if (link.kind == LinkKind::None || link.bytesPerSecond <= 0 ||
                link.relativeSpeed <= 0 || link.latencyNs < 0 || link.latencyNs > kLongestDelayNs) {
                throw InputError(where, "no usable link",
                                 "a kind, a bandwidth above 0 and a latency of at least 0");
            }
        }
    }
}

bool Cluster::isUniform() const {
    Device first = devices_.front();
    for (const Device& device : devices_) {
        first.name = device.name;
        if (!(first == device)) {
            return false;
        }
    }
    const int count = deviceCount();
    for (DeviceId from = 0; from < count; ++from) {
        for (DeviceId to = 0; to < count; ++to) {
            if (from != to && !(link(from, to) == link(0, 1))) {
                return false;
            }
        }
    }
    return true;
}

DeviceId Cluster::deviceByName(std::string_view name) const {
    const auto found = std::find_if(devices_.begin(), devices_.end(),
                                    [&](const Device& device) { return device.name == name; });
    return found == devices_.end() ? kNoDevice : static_cast<DeviceId>(found - devices_.begin());
}

Cluster uniformCluster(int n) {
    Device device;
    device.model = "uniform";
    device.peakFlops[static_cast<std::size_t>(graph::DType::F32)] = 10 * kTera;
    device.memoryBytesPerSecond = 500 * kGiga;
    device.capacityBytes = 16 * kGiB;
    device.launchOverheadNs = 5'000;
    auto devices = alike(n, "Device", device);
    const Link link{5 * kGiga, 10'000, LinkKind::Uniform, 1.0};
    return Cluster("uniform:" + std::to_string(n), std::move(devices), allPairs(n, link));
}

Cluster cpuCluster(int n) {
    // One core with vector units, of the last ten years: to be replaced by calibration.
    Device device;
    device.model = "CPU core";
    device.peakFlops[static_cast<std::size_t>(graph::DType::F32)] = 0.05 * kTera;
    device.peakFlops[static_cast<std::size_t>(graph::DType::F64)] = 0.025 * kTera;
    device.memoryBytesPerSecond = 10 * kGiga;
    device.launchOverheadNs = 2'000;
    auto devices = alike(n, "CPU", device);
    const Link link{5 * kGiga, 5'000, LinkKind::SharedMemory, 1.0};
    return Cluster("cpu:" + std::to_string(n), std::move(devices), allPairs(n, link));
}

} // namespace doppler::cluster
