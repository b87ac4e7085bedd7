#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/cluster/Profile.h"
#include "core/engine/LinkFit.h"
#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::engine {

/// Times of ops and copies out of timelines, and the profile they make.
class KernelSamples {
public:
    /// Takes in a run of a problem. Without `kernels` only its copies count. All problems have one
    /// cluster.
    void add(const sim::Problem& problem, const sim::Timeline& timeline, bool kernels);

    /// Kernels, device factors and links of a profile.
    void fill(cluster::Profile& profile, const cluster::Cluster& cluster) const;

private:
    struct Kernel {
        std::map<DeviceId, std::vector<double>> ofDevice; // ns
    };

    struct Classes {
        std::vector<DeviceId> ofDevice; // the first device with the same figures
        std::map<std::pair<DeviceId, DeviceId>, std::pair<DeviceId, DeviceId>> ofPair;
    };

    static Classes classesOf(const cluster::Cluster& cluster);
    std::vector<double> factors(const Classes& classes) const;

    std::map<std::string, Kernel> kernels_;
    std::map<std::pair<DeviceId, DeviceId>, std::map<std::int64_t, std::vector<double>>> copies_;
};

} // namespace doppler::engine
