#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/place/Objective.h"
#include "core/place/Placer.h"
#include "core/place/SearchLimit.h"

namespace doppler::place {

class Evaluator;

/// A placement and its value under the objective.
struct RankedStart {
    sim::Assignment assignment;
    Time value = 0;
    int runs = 0; ///< that the value is over, if a stop cut their number short; else 0
};

/// The placement with its value.
RankedStart rankedStart(Evaluator& evaluator, const sim::Assignment& assignment);

/// Placements by the general policy, best first, each another one: the shipped policies and the
/// hand rule, then variants of them with noise on their weights, until `limit` is used up; the one
/// in progress then is given up. At most `keep`. `each`, if any, is called after each.
///
/// The shipped policies were trained on graphs of a few hundred ops. On random graphs of ten times
/// as many all but the hand rule lie far behind critical path, the further the larger the graph.
std::vector<RankedStart> policyStarts(const std::shared_ptr<const sim::Problem>& problem,
                                      const Objective& objective, std::uint64_t seed,
                                      std::size_t keep, SearchLimit& limit,
                                      const std::function<void(const RankedStart&)>& each = {});

/// Where a search starts by itself, best first, each another one: critical path, as the placer of
/// that name has it, and what policyStarts() finds until `limit`, which is theirs alone, is used
/// up. What lies far behind the best is left out. Critical path is always there to compare with,
/// evaluated whole (stopped, over fewer runs). At most `keep`; `each`, if any, is called after
/// each.
std::vector<RankedStart> searchStarts(const PlaceRequest& request, std::uint64_t policySeed,
                                      std::size_t keep, SearchLimit& limit,
                                      const std::function<void(const RankedStart&)>& each = {});

/// The shipped policies and the hand rule.
std::int64_t policyCount();

/// How many rollouts make a good choice of starts.
inline constexpr std::int64_t kPolicyRollouts = 64;

} // namespace doppler::place
