#pragma once

#include <memory>
#include <vector>

#include "core/place/policy/LinearPolicy.h"
#include "core/place/policy/PolicyProblem.h"
#include "core/place/policy/RolloutState.h"

namespace doppler::place {

/// Places a problem as a linear policy says, always taking the best: one op after the other, each
/// after its producers. Holds all scratch space, so repeated runs allocate nothing; one object a
/// thread.
class Rollout {
public:
    explicit Rollout(std::shared_ptr<const PolicyProblem> problem);

    /// Valid until the next run.
    const sim::Assignment& run(const LinearPolicy& policy);

private:
    template <std::size_t Stride>
    void runWith(const LinearPolicy& policy);
    template <std::size_t Stride>
    DeviceId choose(OpId op, int allowed);
    void weigh(const LinearPolicy& policy, OpId op);

    std::shared_ptr<const PolicyProblem> problem_;
    RolloutState state_;
    CandidateQueue candidates_;
    std::vector<float> features_;                        // [feature][stride]
    std::array<float, kDeviceFeatureCount> opWeights_{}; // of the op that is being placed
    std::vector<float> scratch_;                         // rows of stride
};

} // namespace doppler::place
