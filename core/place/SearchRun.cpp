#include "core/place/SearchRun.h"

#include "core/place/CriticalPath.h"
#include "core/place/EarliestTask.h"
#include "core/place/PlacerEntry.h"
#include "core/place/SearchStart.h"
#include "core/place/policy/PolicyStarts.h"

namespace doppler::place {

SearchRun::SearchRun(const PlaceRequest& request)
    : request_(request)
    , evaluator_(request.problem, request.objective)
    , limit_(SearchLimit::of(request))
    , reporter_(request)
    , notes_(pinNotes(*request.problem)) {
    evaluator_.stopOn(request.stop);
}

sim::Assignment SearchRun::start() {
    std::optional<sim::Assignment> start = requestedStart(request_, notes_);
    if (!start) {
        start = bestCriticalPath(request_.problem, request_.seed);
        best_ = *start;
        limit_.count(1);
        bestValue_ = valueWithin(*start, std::numeric_limits<Time>::max());
        evaluator_.endBy(limit_.deadline());
        if (!evaluator_.memoryIsSettled(best_, bestValue_) && limit_.left() > 0 &&
            !request_.stop.stop_requested()) {
            limit_.count(1);
            const sim::Assignment fitting =
                withinMemory(request_, [](const sim::Problem& problem, MemoryCount memory) {
                    return earliestTaskSchedule(problem, memory).assignment();
                });
            valueWithin(fitting, bestValue_);
        }
        return best_;
    }
    limit_.count(1);
    valueWithin(*start, std::numeric_limits<Time>::max());
    evaluator_.endBy(limit_.deadline());
    return *start;
}

void SearchRun::improveByPolicy(std::uint64_t seed) {
    if (request_.start || limit_.over()) {
        return;
    }
    // As annealing does.
    constexpr double kMostTime = 0.1;
    constexpr std::int64_t kMostEvaluations = 8; // one in so many
    SearchLimit limit =
        request_.maxEvaluations
            ? SearchLimit::forEvaluations(
                  std::clamp<std::int64_t>(*request_.maxEvaluations / kMostEvaluations, 1,
                                           std::min(kPolicyRollouts, limit_.left())),
                  request_.stop)
            : SearchLimit::forEither(kMostTime * request_.budgetSeconds, kPolicyRollouts,
                                     request_.stop);
    limit.lastAsLongAs(limit_);
    const auto each = [&](const RankedStart& start) {
        tellOfPart(1, start.assignment, start.value);
        if (limit_.over()) {
            limit.end();
        }
    };
    policyStarts(request_.problem, request_.objective, seed, 1, limit, each);
}

bool SearchRun::take() {
    reporter_.tell(limit_.fraction(), evaluations_);
    return limit_.take();
}

void SearchRun::tellOfPart(std::int64_t evaluations, const sim::Assignment& best, Time value) {
    evaluations_ += evaluations;
    limit_.count(evaluations);
    if (value < bestValue_) {
        best_ = best;
        bestValue_ = value;
        reporter_.offer(best_, value);
    }
    reporter_.tell(limit_.fraction(), evaluations_);
}

Time SearchRun::valueWithin(const sim::Assignment& assignment, Time limit) {
    const Time value = evaluator_.valueWithin(assignment, limit);
    ++evaluations_;
    if (evaluator_.gaveUp()) {
        if (evaluations_ > 1) {
            return std::numeric_limits<Time>::max();
        }
        bestRuns_ = evaluator_.runsMade();
    }
    if (value <= limit && (best_.empty() || value < bestValue_ || evaluations_ == 1)) {
        best_ = assignment;
        bestValue_ = value;
        reporter_.offer(best_, value);
    }
    return value;
}

PlaceResult SearchRun::result() {
    reporter_.tell(1, evaluations_, true);
    PlaceResult result;
    result.assignment = best_;
    result.makespan = evaluator_.makespan(best_, bestValue_);
    result.value = bestValue_;
    result.valueRuns = bestRuns_;
    result.evaluations = evaluations_;
    result.notes = notes_;
    return result;
}

} // namespace doppler::place
