#include "core/place/policy/LinearPolicy.h"

#include <cmath>

#include "core/place/Random.h"

namespace doppler::place {

namespace {

constexpr std::size_t kBLevel = 0;

LinearPolicy handRuleWith(const std::array<float, 6>& weights) {
    LinearPolicy policy;
    policy.name = "hand rule";
    policy.weights[kBLevel] = 1;
    policy.plc(0, kFinish) = -weights[0];
    policy.plc(0, kChildren) = -weights[1];
    policy.plc(0, kChildrenHere) = -weights[2];
    policy.plc(0, kLoad) = -weights[3];
    policy.plc(0, kParents) = weights[4];
    policy.plc(0, kCoParents) = weights[5];
    return policy;
}

} // namespace

LinearPolicy handRule() {
    return handRuleWith({1, 1, 0, 0, 0, 0});
}

LinearPolicy randomHandRule(std::uint64_t seed) {
    // Shares of inputs weigh about as much as the time they take to arrive, a few percent of an
    // even share of the work.
    constexpr std::array<double, 6> kLargest = {1, 1, 1, 1, 0.3, 0.3};
    Random random(seed);
    std::array<float, 6> weights{};
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double u = random.uniform();
        weights[i] = static_cast<float>(kLargest[i] * u * u);
    }
    return handRuleWith(weights);
}

LinearPolicy withNoise(const LinearPolicy& policy, double share, std::uint64_t seed) {
    Random random(seed);
    LinearPolicy result = policy;
    const auto addNoise = [&](std::size_t begin, std::size_t end) {
        double squares = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const auto weight = static_cast<double>(policy.weights[i]);
            squares += weight * weight;
        }
        const double scale = share * std::sqrt(squares / static_cast<double>(end - begin));
        for (std::size_t i = begin; i < end; ++i) {
            result.weights[i] += static_cast<float>(scale * random.normal());
        }
    };
    addNoise(0, kOpFeatureCount);
    addNoise(kOpFeatureCount, LinearPolicy::kWeights);
    return result;
}

} // namespace doppler::place
