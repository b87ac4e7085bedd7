#pragma once

#include <vector>

#include "core/learn/Episode.h"
#include "core/learn/PolicyTables.h"
#include "core/learn/RolloutProblem.h"
#include "core/learn/TrainOptions.h"

namespace doppler::learn {

/// The gradient of the policy's heads over recorded episodes, as a loop over plain arrays. The loss
/// of an episode is -(weight x log probability + entropyWeight x entropy), summed over its choices,
/// where the probability is that of what was done: random choices are not put down to the policy.
/// Holds scratch space; one object a thread.
class HeadGradient {
public:
    HeadGradient(const RolloutProblem& problem, int hidden);

    /// Adds the gradient of one episode, which must have been recorded with these tables.
    void add(const PolicyTables& tables, PolicyMode mode, const Episode& episode, float weight,
             float entropyWeight, TableGradient& gradient);

private:
    void addScores(const PolicyTables& tables, const Episode& episode, float weight,
                   float entropyWeight, TableGradient& gradient);
    void addDevices(const PolicyTables& tables, const Episode& episode, float weight,
                    float entropyWeight, TableGradient& gradient);
    void addPairs(const PolicyTables& tables, const Episode& episode, float weight,
                  float entropyWeight, TableGradient& gradient);

    // Parts of the latter two.
    void beginMeans();
    void place(const PolicyTables& tables, OpId op, DeviceId device, TableGradient& gradient);
    void endMeans(const Episode& episode, TableGradient& gradient);
    /// Fills logits_ for some rows of a choice of this entropy; `chosen` -1: none of them.
    void logitGradients(const float* probability, int count, int chosen, float entropy,
                        float weight, float entropyWeight);
    void addRows(const PolicyTables& tables, const CandidateRows& rows, const Episode& episode,
                 TableGradient& gradient);

    const RolloutProblem& problem_;
    int hidden_;
    std::vector<double> inverse_; // by step: 1 / scoreSum
    std::vector<double> shared_;  // by step: the same x opShare
    std::vector<float> sums_;     // devices x hidden, as in the rollout
    std::vector<float> share_;    // by device: 1 / ops there
    std::vector<int> count_;
    std::vector<float> meanGradient_; // devices x hidden: sum over steps so far, for any op there
    std::vector<float> logits_;
};

} // namespace doppler::learn
