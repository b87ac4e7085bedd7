#include "core/engine/emulated/Testbed.h"

#include <algorithm>

#include "core/graph/InputError.h"

namespace doppler::engine {

namespace {

using graph::OpKind;

/// Large matrix products come near the rate, short elementwise ops far from it.
std::array<double, graph::kOpKindCount> efficiencies(double products, double elementwise,
                                                     double reductions, double moves) {
    std::array<double, graph::kOpKindCount> shares{};
    shares.fill(elementwise);
    const auto set = [&shares](std::initializer_list<OpKind> kinds, double share) {
        for (const OpKind kind : kinds) {
            shares[static_cast<std::size_t>(kind)] = share;
        }
    };
    set({OpKind::Contraction, OpKind::Convolution, OpKind::LstmCell}, products);
    set({OpKind::Formation, OpKind::Reduction, OpKind::Softmax, OpKind::Normalization}, reductions);
    set({OpKind::Select, OpKind::Concat, OpKind::Reshape, OpKind::Embedding, OpKind::Routing,
         OpKind::Communication},
        moves);
    return shares;
}

Testbed p100() {
    return {.name = "p100x4-testbed",
            .description = "Four P100: one transfer out and one in per device at a time",
            .efficiency = efficiencies(0.88, 0.55, 0.45, 0.6),
            .launchShare = 0.01,
            .linkEfficiency = 0.75,
            .contention = sim::LinkContention::PerPort,
            .deviceSpread = 0.04,
            .jitter = 0.05};
}

Testbed v100() {
    return {.name = "v100x8-testbed",
            .description = "Eight V100 with NVLink: fast products, launches that weigh more",
            .efficiency = efficiencies(0.8, 0.4, 0.35, 0.5),
            .launchShare = 0.03,
            .linkEfficiency = 0.85,
            .contention = sim::LinkContention::PerPair,
            .deviceSpread = 0.03,
            .jitter = 0.06};
}

Testbed anyCluster() {
    return {.name = "testbed",
            .description = "Any cluster, a little worse than assumed everywhere",
            .efficiency = efficiencies(0.85, 0.5, 0.45, 0.6),
            .launchShare = 0.02,
            .linkEfficiency = 0.8,
            .contention = sim::LinkContention::PerPort,
            .deviceSpread = 0.04,
            .jitter = 0.05};
}

} // namespace

const std::vector<Testbed>& testbeds() {
    static const std::vector<Testbed> kAll{p100(), v100(), anyCluster()};
    return kAll;
}

const Testbed& findTestbed(std::string_view name) {
    std::string names;
    for (const Testbed& testbed : testbeds()) {
        if (testbed.name == name) {
            return testbed;
        }
        names += (names.empty() ? "" : ", ") + testbed.name;
    }
    throw InputError("there is no testbed \"" + std::string(name) + "\"; expected one of " + names);
}

const Testbed& testbedOf(const cluster::Cluster& cluster) {
    for (const Testbed& testbed : testbeds()) {
        if (testbed.name == cluster.name() || testbed.name == cluster.name() + "-testbed") {
            return testbed;
        }
    }
    return testbeds().back();
}

} // namespace doppler::engine
