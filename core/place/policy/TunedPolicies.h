#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/place/policy/LinearPolicy.h"
#include "core/place/policy/PolicyProblem.h"

namespace doppler::place {

/// The best placement that a linear policy came to while it was tuned on one problem, and the
/// weights that made it.
struct TunedPolicy {
    LinearPolicy policy;
    sim::Assignment assignment;
    Time value = 0; ///< under the default objective
    std::int64_t rollouts = 0;
};

/// Few-shot learning of one problem: CMA-ES over the weights of `start`, `rollouts` of them, the
/// first of which is `start` itself. Wide samples and few generations: descents from several
/// policies end in different basins, and many are affordable. Stops early when asked to, but never
/// before the first rollout. `each`, if any, is called after each generation with the share done.
TunedPolicy tunePolicy(const std::shared_ptr<const PolicyProblem>& problem,
                       const LinearPolicy& start, std::int64_t rollouts, std::uint64_t seed,
                       const std::stop_token& stop, const std::function<void(double)>& each = {});

} // namespace doppler::place
