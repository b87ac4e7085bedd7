#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/place/Objective.h"
#include "core/place/SearchLimit.h"

namespace doppler::place {

/// A placement and its value under the objective.
struct RankedStart {
    sim::Assignment assignment;
    Time value = 0;
    int runs = 0; ///< that the value is over, if a stop cut their number short; else 0
};

/// Placements by the general policy, best first, each another one: the shipped policies and the
/// hand rule, then variants of them with noise on their weights, until `limit` is used up (at least
/// one, whatever the limit; stopped before the first, a draw of critical path, or nothing if none
/// is `needed`). The one in progress then is given up, but for a first that is needed: that one is
/// evaluated whole, or stopped, over fewer runs. At most `keep`. `each`, if any, is called after
/// each.
std::vector<RankedStart> policyStarts(const std::shared_ptr<const sim::Problem>& problem,
                                      const Objective& objective, std::uint64_t seed,
                                      std::size_t keep, SearchLimit& limit,
                                      const std::function<void(const RankedStart&)>& each = {},
                                      bool needed = true);

/// How many rollouts make a good choice of starts.
inline constexpr std::int64_t kPolicyRollouts = 64;

} // namespace doppler::place
