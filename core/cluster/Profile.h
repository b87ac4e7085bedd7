#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/Ids.h"

namespace doppler::cluster {

/// How long one kernel was measured to take on the devices of one class.
struct KernelTime {
    std::string kernel;  ///< as cost::kernelKey() names it
    DeviceId device = 0; ///< stands for all devices with the same stated figures
    Time ns = 0;         ///< median, from the end of what the op waited for to its own end
    std::int32_t samples = 0;
    double spread = 0;  ///< median deviation from the median, as a share of it
    bool spiky = false; ///< two populations a hundredfold apart: the median means little

    bool operator==(const KernelTime&) const = default;
};

/// A link as latency + bytes / bandwidth, fitted to measured copies.
struct LinkTime {
    DeviceId from = 0; ///< the pair stands for all links with the same stated figures
    DeviceId to = 0;
    Time latencyNs = 0;
    double bytesPerSecond = 0;
    std::int32_t samples = 0;
    double error = 0; ///< median of |fitted / measured - 1| over the sizes

    bool operator==(const LinkTime&) const = default;
};

/// What was measured on a cluster, and how.
struct Profile {
    std::string runtime; ///< "cpu"
    bool emulated = false;
    std::string processor; ///< model; empty where unknown
    std::string blas;      ///< core type that the BLAS library chose, "Haswell"; empty: unknown
    std::int32_t blasThreads = 0; ///< of each device; 0: unknown
    std::string date;             ///< "2026-03-01T12:00:00Z"
    std::string version;          ///< of the program that measured
    std::int32_t runs = 0;        ///< that the times come from; 0: unknown
    std::int32_t disturbed = 0;   ///< runs beside which other programs ran
    /// By device: how much longer it takes than its class; empty: all like their class.
    std::vector<double> deviceFactors;
    std::vector<KernelTime> kernels;
    std::vector<LinkTime> links;

    bool operator==(const Profile&) const = default;
};

} // namespace doppler::cluster
