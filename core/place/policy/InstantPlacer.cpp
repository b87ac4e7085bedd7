#include <algorithm>

#include "core/cost/FormatQuantity.h"
#include "core/place/AnnealChain.h"
#include "core/place/EarliestTask.h"
#include "core/place/MemoryLedger.h"
#include "core/place/PlacerEntry.h"
#include "core/place/SearchEvaluator.h"
#include "core/place/SearchReporter.h"
#include "core/place/SearchStart.h"
#include "core/place/policy/PolicyStarts.h"

namespace doppler::place {

namespace {

/// Enough for graphs of a few hundred ops; a longer budget is left unused, also on large graphs:
/// annealing on two threads makes more of it.
constexpr double kMostSeconds = 0.25;
/// Of the budget, at most, for rollouts.
constexpr double kRolloutShare = 0.3;
constexpr std::size_t kAnnealed = 8;
/// Temperatures, as fractions of the makespan.
constexpr double kHot = 3e-3;
constexpr double kCold = 3e-5;

class Instant {
public:
    explicit Instant(const PlaceRequest& request)
        : request_(request)
        , evaluator_(request.problem, request.objective)
        , reporter_(request)
        , begin_(SearchLimit::Clock::now()) {
        evaluator_.stopOn(request.stop);
    }

    PlaceResult run() {
        PlaceResult result;
        result.notes = pinNotes(*request_.problem);
        const auto asked = requestedStart(request_, result.notes);
        std::vector<RankedStart> starts = findStarts(asked);
        if (!asked &&
            !evaluator_.memoryIsSettled(starts.front().assignment, starts.front().value) &&
            !request_.stop.stop_requested() &&
            evaluations_ < request_.maxEvaluations.value_or(evaluations_ + 1)) {
            const RankedStart fit = counted(fitting());
            if (fit.runs == 0) { // else it was given up
                starts.push_back(fit);
            }
        }
        for (const RankedStart& start : starts) {
            keep(start);
        }
        anneal(starts);
        noteWhatWasLeftOut(result.notes);
        reporter_.tell(1, evaluations_, true);
        result.assignment = best_.assignment;
        result.makespan = evaluator_.makespan(best_.assignment, best_.value);
        result.value = best_.value;
        result.valueRuns = best_.runs;
        result.evaluations = evaluations_;
        return result;
    }

private:
    RankedStart counted(const sim::Assignment& assignment) {
        ++evaluations_;
        return rankedStart(evaluator_, assignment);
    }

    sim::Assignment fitting() const {
        return withinMemory(request_, [](const sim::Problem& problem, MemoryCount memory) {
            return earliestTaskSchedule(problem, memory).assignment();
        });
    }

    double budget() const { return std::min(kMostSeconds, request_.budgetSeconds); }

    double secondsLeft() const {
        return budget() - std::chrono::duration<double>(SearchLimit::Clock::now() - begin_).count();
    }

    /// What was asked for, or critical path, and what the policies find.
    std::vector<RankedStart> findStarts(const std::optional<sim::Assignment>& asked) {
        SearchLimit limit = policyLimit();
        const auto each = [&](const RankedStart& start) {
            ++evaluations_;
            reporter_.offer(start.assignment, start.value);
            reporter_.tell(kRolloutShare * limit.fraction(), evaluations_);
        };
        std::vector<RankedStart> starts;
        if (asked) {
            const RankedStart first = counted(*asked);
            starts = policyStarts(request_.problem, request_.objective, request_.seed, kAnnealed,
                                  limit, each);
            starts.insert(starts.begin(), first);
        } else {
            starts = searchStarts(request_, request_.seed, kAnnealed, limit, each);
        }
        rollouts_ = evaluations_ - 1;
        return starts;
    }

    SearchLimit policyLimit() const {
        if (request_.maxEvaluations) {
            return SearchLimit::forEvaluations(
                std::min(kPolicyRollouts, *request_.maxEvaluations / 2), request_.stop);
        }
        SearchLimit limit = SearchLimit::forSeconds(budget() * kRolloutShare, request_.stop);
        limit.lastAsLongAs(SearchLimit::forSeconds(secondsLeft(), request_.stop));
        return limit;
    }

    /// Policies that were too slow for the graph, and more of a budget than is of use.
    void noteWhatWasLeftOut(std::vector<std::string>& notes) const {
        if (request_.maxEvaluations || request_.stop.stop_requested()) {
            return;
        }
        const bool large = rollouts_ < policyCount();
        if (large) {
            notes.push_back("too little time for " +
                            cost::formatCount(request_.problem->opCount()) +
                            " ops: " + std::to_string(rollouts_) + " of " +
                            std::to_string(policyCount()) + " policies were tried");
        }
        const double unasked = large ? kMostSeconds : PlaceRequest().budgetSeconds;
        if (request_.budgetSeconds > unasked) {
            notes.push_back("no more than " + cost::formatSeconds(kMostSeconds) +
                            " of the budget is used; anneal uses all of it");
        }
    }

    void anneal(const std::vector<RankedStart>& starts) {
        if (request_.stop.stop_requested() ||
            (!request_.maxEvaluations && (secondsLeft() <= 0 || rollouts_ == 0))) {
            return; // large graphs: preparing it would take longer than a rollout does
        }
        Random seeds(request_.seed);
        const auto clusterings =
            std::make_shared<const Clusterings>(*request_.problem, seeds, request_.stop);
        AnnealChain chain(request_.problem, request_.objective, clusterings, seeds.next());
        const std::int64_t already = evaluations_;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const auto rest = static_cast<double>(starts.size() - i);
            SearchLimit limit =
                request_.maxEvaluations
                    ? SearchLimit::forEvaluations(
                          std::max<std::int64_t>(0, *request_.maxEvaluations - already) /
                              static_cast<std::int64_t>(starts.size()),
                          request_.stop)
                    : SearchLimit::forSeconds(secondsLeft() / rest, request_.stop);
            if (limit.fraction() >= 1 || limit.stopped()) {
                break;
            }
            chain.startFrom(starts[i].assignment, starts[i].value);
            Time told = chain.bestValue();
            const double done = static_cast<double>(i) / static_cast<double>(starts.size());
            chain.run(kHot, kCold, limit, [&] {
                if (chain.bestValue() < told) {
                    told = chain.bestValue();
                    reporter_.offer(chain.best(), told);
                }
                reporter_.tell(kRolloutShare + (1 - kRolloutShare) * done,
                               already + chain.evaluations());
            });
            keep({chain.best(), chain.bestValue()});
        }
        evaluations_ = already + chain.evaluations();
    }

    void keep(const RankedStart& found) {
        if (best_.assignment.empty() || found.value < best_.value) {
            best_ = found;
            reporter_.offer(best_.assignment, best_.value);
        }
    }

    const PlaceRequest& request_;
    Evaluator evaluator_;
    SearchReporter reporter_;
    SearchLimit::Clock::time_point begin_;
    std::int64_t evaluations_ = 0;
    std::int64_t rollouts_ = 0; ///< of policies
    RankedStart best_;
};

PlaceResult place(const PlaceRequest& request) {
    return Instant(request).run();
}

} // namespace

PlacerEntry instantPlacer() {
    return {{.name = "instant",
             .description = "Policies trained on generated graphs, best of 64 and critical path, "
                            "then a short annealing: a quarter of a second.",
             .source = "DOPPLER, arXiv 2505.23131: dual policy",
             .search = true,
             .random = true},
            place};
}

} // namespace doppler::place
