#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::engine {

/// Bytes that each device holds in a run, and may hold: graph inputs, outputs and copies. What
/// kernels need to work in (scratch) is not counted.
class DeviceMemory {
public:
    explicit DeviceMemory(const cluster::Cluster& cluster) {
        for (const cluster::Device& device : cluster.devices()) {
            capacity_.push_back(device.capacityBytes);
        }
    }

    void reset(const std::vector<std::int64_t>& inputBytes) { used_ = peak_ = inputBytes; }

    bool limited() const {
        return std::any_of(capacity_.begin(), capacity_.end(),
                           [](auto bytes) { return bytes > 0; });
    }
    bool fits(DeviceId device, std::int64_t bytes) const {
        return capacity_[at(device)] == 0 || used_[at(device)] + bytes <= capacity_[at(device)];
    }
    void add(DeviceId device, std::int64_t bytes) {
        used_[at(device)] += bytes;
        peak_[at(device)] = std::max(peak_[at(device)], used_[at(device)]);
    }
    void remove(DeviceId device, std::int64_t bytes) { used_[at(device)] -= bytes; }

    std::int64_t used(DeviceId device) const { return used_[at(device)]; }
    std::int64_t capacity(DeviceId device) const { return capacity_[at(device)]; }
    const std::vector<std::int64_t>& peak() const { return peak_; }

private:
    static std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }

    std::vector<std::int64_t> capacity_; // 0: unlimited
    std::vector<std::int64_t> used_;
    std::vector<std::int64_t> peak_;
};

} // namespace doppler::engine
