#pragma once

#include <array>
#include <string>

#include "core/place/policy/PolicyFeatures.h"

namespace doppler::place {

/// A dual policy without hidden layers. SEL: the candidate of largest sum of weight x feature goes
/// first. PLC: the device of largest sum over contexts c and features f of
/// plc[c][f] x context_c(op) x f(device).
struct LinearPolicy {
    static constexpr std::size_t kWeights = kOpFeatureCount + kContextCount * kDeviceFeatureCount;

    std::string name;
    /// SEL's, then PLC's by context.
    std::array<float, kWeights> weights{};

    const float* sel() const { return weights.data(); }
    const float* plc(std::size_t context) const {
        return weights.data() + kOpFeatureCount + context * kDeviceFeatureCount;
    }
    float& plc(std::size_t context, DeviceFeature feature) {
        return weights[kOpFeatureCount + context * kDeviceFeatureCount + feature];
    }
};

/// Not trained: ops by b-level; the device of earliest finish, looking one step ahead at the
/// consumers.
LinearPolicy handRule();

/// The hand rule's features with other positive weights, the same for a seed.
LinearPolicy randomHandRule(std::uint64_t seed);

/// `policy` with normal noise on its weights, of `share` of their root mean square.
LinearPolicy withNoise(const LinearPolicy& policy, double share, std::uint64_t seed);

} // namespace doppler::place
