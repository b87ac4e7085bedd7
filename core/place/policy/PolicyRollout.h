#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/place/MemoryLedger.h"
#include "core/place/policy/LinearPolicy.h"
#include "core/place/policy/PolicyProblem.h"
#include "core/place/policy/PolicyRolloutState.h"

namespace doppler::place {

/// Places a problem as a linear policy says, always taking the best: one op after the other, each
/// after its producers. Holds all scratch space, so repeated runs allocate nothing; one object a
/// thread. Where memory could be short, a device that an op does not fit (values counted until
/// their last consumer is placed) is taken only if none fits.
class PolicyRollout {
public:
    explicit PolicyRollout(std::shared_ptr<const PolicyProblem> problem);

    /// Valid until the next run.
    const sim::Assignment& run(const LinearPolicy& policy);

private:
    template <std::size_t Stride>
    void runWith(const LinearPolicy& policy);
    template <std::size_t Stride>
    DeviceId choose(OpId op, int allowed);
    void weigh(const LinearPolicy& policy, OpId op);

    std::shared_ptr<const PolicyProblem> problem_;
    std::optional<MemoryLedger> memory_; // of a run, where it matters
    PolicyRolloutState state_;
    CandidateQueue candidates_;
    std::vector<float> features_;                        // [feature][stride]
    std::array<float, kDeviceFeatureCount> opWeights_{}; // of the op that is being placed
    std::vector<float> scratch_;                         // rows of stride
};

} // namespace doppler::place
