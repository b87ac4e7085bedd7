#include "core/place/policy/PolicyStarts.h"

#include <algorithm>

#include "core/place/CriticalPath.h"
#include "core/place/Random.h"
#include "core/place/SearchEvaluator.h"
#include "core/place/policy/PolicyPortfolio.h"
#include "core/place/policy/PolicyRollout.h"

namespace doppler::place {

namespace {

constexpr double kNoise = 0.2;

/// The i-th policy to try.
LinearPolicy variant(std::int64_t i, const std::vector<LinearPolicy>& members, std::uint64_t seed) {
    const auto count = static_cast<std::int64_t>(members.size());
    if (i < count) {
        return members[static_cast<std::size_t>(i)];
    }
    if (i == count) {
        return handRule();
    }
    // Without trained members the hand rule's features are all there is.
    if (members.empty()) {
        return randomHandRule(seed);
    }
    return withNoise(members[static_cast<std::size_t>((i - count - 1) % count)], kNoise, seed);
}

} // namespace

std::vector<RankedStart> policyStarts(const std::shared_ptr<const sim::Problem>& problem,
                                      const Objective& objective, std::uint64_t seed,
                                      std::size_t keep, SearchLimit& limit,
                                      const std::function<void(const RankedStart&)>& each,
                                      bool needed) {
    Random random(seed);
    Evaluator evaluator(problem, objective);
    evaluator.stopOn(limit.stopToken());
    const auto ranked = [&](const sim::Assignment& assignment) {
        RankedStart start{assignment, evaluator.value(assignment)};
        start.runs = evaluator.gaveUp() ? evaluator.runsMade() : 0;
        return start;
    };
    const auto prepared = std::make_shared<const PolicyProblem>(problem, limit.stopToken());
    const auto draw = [&] {
        if (!needed) {
            return std::vector<RankedStart>();
        }
        const sim::Assignment drawn = criticalPathSchedule(*problem, seed).assignment();
        const RankedStart start = ranked(drawn);
        if (each) {
            each(start);
        }
        return std::vector{start};
    };
    if (!prepared->complete) {
        return draw();
    }
    PolicyRollout rollout(prepared);
    rollout.stopOn(limit.stopToken());
    const std::vector<LinearPolicy>& members = shippedPolicies().members;
    std::vector<RankedStart> starts;
    for (std::int64_t i = 0; limit.take() || i == 0; ++i) {
        const sim::Assignment& found = rollout.run(variant(i, members, random.next()));
        if (!rollout.complete()) {
            if (starts.empty()) {
                return draw();
            }
            break;
        }
        const bool first = needed && i == 0;
        if (!first) {
            evaluator.endBy(limit.deadline());
        }
        const RankedStart start = ranked(found);
        if (!first && evaluator.gaveUp()) {
            break;
        }
        if (each) {
            each(start);
        }
        const auto place =
            std::lower_bound(starts.begin(), starts.end(), start.value,
                             [](const RankedStart& a, Time value) { return a.value < value; });
        const bool known = std::any_of(place, starts.end(), [&](const RankedStart& other) {
            return other.value == start.value && other.assignment == start.assignment;
        });
        if (!known) {
            starts.insert(place, start);
            starts.resize(std::min(starts.size(), std::max<std::size_t>(1, keep)));
        }
    }
    return starts;
}

} // namespace doppler::place
