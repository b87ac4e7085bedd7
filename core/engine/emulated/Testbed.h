#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/Cluster.h"
#include "core/graph/OpKind.h"
#include "core/sim/SimOptions.h"

namespace doppler::engine {

/// How an emulated machine differs from what cost models and simulators assume of it: the hidden
/// truth that stage III of training can only learn by trying. The figures are invented, of the
/// size that real machines show; whatever comes from a testbed is to be labelled "emulated".
struct Testbed {
    std::string name;        ///< "p100x4-testbed"
    std::string description; ///< one sentence
    /// Share of the assumed rate that an op reaches, by kind.
    std::array<double, graph::kOpKindCount> efficiency{};
    /// Time before an op starts to compute, as a share of the problem's mean op.
    double launchShare = 0;
    double linkEfficiency = 1;
    sim::LinkContention contention = sim::LinkContention::PerPort;
    /// Devices of one model are never quite alike: largest deviation from 1 of a device's speed.
    double deviceSpread = 0;
    double jitter = 0; ///< coefficient of variation of each duration, anew in each run
};

/// All testbeds; the last one stands for any cluster.
const std::vector<Testbed>& testbeds();

/// Throws InputError for an unknown name (the message lists the names).
const Testbed& findTestbed(std::string_view name);

/// The testbed that the cluster is named after, or that is named after the cluster; else the one
/// for any cluster.
const Testbed& testbedOf(const cluster::Cluster& cluster);

} // namespace doppler::engine
