#pragma once

#include <cstdint>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::learn {

/// Number of features of a device at the moment an op is placed (DESIGN of RolloutState.h).
inline constexpr int kDeviceFeatures = 10;

/// A candidate of one step of a joint policy: the devices that may be chosen for it are
/// [firstDevice, endDevice), and what belongs to them begins at row `rowBegin`.
struct CandidateRows {
    OpId op = kNoOp;
    std::int32_t firstDevice = 0;
    std::int32_t endDevice = 0;
    std::int32_t rowBegin = 0;
};

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

    // By step, for SEL (or the joint policy) and PLC: share of the choice that was the policy's
    // own, 1 where no choice is random. d log(probability of what was done) = share x d
    // log(policy).
    std::vector<float> opShare;
    std::vector<float> deviceShare;

    // Joint policy: the candidates of step i are candidates[candidateBegin[i]] and on, up to those
    // of the next step; their rows follow one another. Empty for other policies.
    std::vector<CandidateRows> candidates;
    std::vector<std::int32_t> candidateBegin;

    // PLC, by step: the devices it chose among [firstDevice, endDevice), and where their features
    // (kDeviceFeatures each) and probabilities begin; of a joint policy those of the op that was
    // taken, and the probabilities of all candidates of a step sum to 1.
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
    /// Once simulated: the share of their memory that devices lack (see Evaluator); 0: it fits.
    double lackingMemory = 0;

    bool fits() const { return lackingMemory == 0; }
    /// What the policy learns from: of a placement that does not fit, two to three times the
    /// makespan, the more the more memory is lacking.
    Time judged() const;

    void reset(int ops);
};

} // namespace doppler::learn
