#pragma once

#include <cstdint>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::learn {

/// Number of features of a device at the moment an op is placed (DESIGN of RolloutState.h).
inline constexpr int kDeviceFeatures = 10;

/// One pass over a graph: which op was taken at each step, where it went, and all that the gradient
/// of the heads needs. Steps are 0..ops-1.
struct Episode {
    std::vector<OpId> order;    ///< by step
    sim::Assignment assignment; ///< by op

    // SEL, by step: sum of exp(score) over the candidates, and their mean score (scores are taken
    // relative to the largest of the graph); by op: the step at which it became a candidate.
    std::vector<double> scoreSum;
    std::vector<double> scoreMean;
    std::vector<std::int32_t> enteredAt;

    // PLC, by step: the devices it chose among [firstDevice, endDevice), and where their features
    // (kDeviceFeatures each) and probabilities begin.
    std::vector<std::int32_t> firstDevice;
    std::vector<std::int32_t> endDevice;
    std::vector<std::int32_t> rowBegin;
    std::vector<float> features;
    std::vector<float> probability;

    double logProbability = 0; ///< of all choices the policy took
    double entropy = 0;        ///< sum over those choices, nats
    int decisions = 0;         ///< choices among at least two
    int agreed = 0;            ///< of decisions: the choice was the policy's first

    Time makespan = 0; ///< once evaluated

    void reset(int ops);
};

} // namespace doppler::learn
