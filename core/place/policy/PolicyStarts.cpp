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
/// Values, of the best, from which a short search does not catch up.
constexpr double kFarBehind = 1.1;

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

/// Inserts it where it belongs, unless it is there already.
void insert(std::vector<RankedStart>& starts, const RankedStart& start, std::size_t keep) {
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

} // namespace

RankedStart rankedStart(Evaluator& evaluator, const sim::Assignment& assignment) {
    RankedStart start{assignment, evaluator.value(assignment)};
    start.runs = evaluator.gaveUp() ? evaluator.runsMade() : 0;
    return start;
}

std::int64_t policyCount() {
    return static_cast<std::int64_t>(shippedPolicies().members.size()) + 1;
}

std::vector<RankedStart> policyStarts(const std::shared_ptr<const sim::Problem>& problem,
                                      const Objective& objective, std::uint64_t seed,
                                      std::size_t keep, SearchLimit& limit,
                                      const std::function<void(const RankedStart&)>& each) {
    if (limit.over()) {
        return {}; // preparing takes its time on a large graph
    }
    Random random(seed);
    Evaluator evaluator(problem, objective);
    evaluator.stopOn(limit.stopToken());
    evaluator.endBy(limit.deadline());
    const auto prepared = std::make_shared<const PolicyProblem>(problem, limit.stopToken());
    if (!prepared->complete) {
        return {};
    }
    PolicyRollout rollout(prepared);
    rollout.stopOn(limit.stopToken());
    const std::vector<LinearPolicy>& members = shippedPolicies().members;
    std::vector<RankedStart> starts;
    for (std::int64_t i = 0; limit.take(); ++i) {
        const sim::Assignment& found = rollout.run(variant(i, members, random.next()));
        if (!rollout.complete()) {
            break;
        }
        const RankedStart start = rankedStart(evaluator, found);
        if (evaluator.gaveUp()) {
            break;
        }
        if (each) {
            each(start);
        }
        insert(starts, start, keep);
    }
    return starts;
}

std::vector<RankedStart> searchStarts(const PlaceRequest& request, std::uint64_t policySeed,
                                      std::size_t keep, SearchLimit& limit,
                                      const std::function<void(const RankedStart&)>& each) {
    Evaluator evaluator(request.problem, request.objective);
    evaluator.stopOn(request.stop);
    const RankedStart rule =
        rankedStart(evaluator, bestCriticalPath(request.problem, request.seed));
    if (each) {
        each(rule);
    }
    std::vector<RankedStart> starts =
        policyStarts(request.problem, request.objective, policySeed, keep, limit, each);
    insert(starts, rule, keep);
    const double most = kFarBehind * static_cast<double>(starts.front().value);
    std::erase_if(starts, [most](const RankedStart& start) {
        return static_cast<double>(start.value) > most;
    });
    return starts;
}

} // namespace doppler::place
