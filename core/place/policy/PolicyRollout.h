#pragma once

#include <memory>
#include <optional>
#include <stop_token>
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

    /// Once stopped, runs end early: what they return is no whole placement then.
    void stopOn(std::stop_token stop) { stop_ = std::move(stop); }
    /// Whether the last run came to its end.
    bool complete() const { return complete_; }

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
    std::stop_token stop_;
    bool complete_ = true;
};

} // namespace doppler::place
