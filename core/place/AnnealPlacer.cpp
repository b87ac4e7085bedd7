#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "core/place/AnnealChain.h"
#include "core/place/CriticalPath.h"
#include "core/place/EarliestTask.h"
#include "core/place/PlacerEntry.h"
#include "core/place/SearchReporter.h"
#include "core/place/SearchStart.h"
#include "core/place/policy/PolicyStarts.h"

namespace doppler::place {

namespace {

constexpr std::size_t kChains = 2;

// First, each chain anneals from one start after the other; what they find can lie in quite
// different valleys, and long graphs have several that no small change leads out of.
constexpr double kExploring = 0.6; ///< of the budget
constexpr std::size_t kStarts = 16;
constexpr double kMostForRollouts = 0.1; ///< of the budget
constexpr std::int64_t kEvaluationsPerOp = 80;
/// Every third start is a draw of critical path first, which policies never come near.
constexpr std::int64_t kDrawEvery = 3;
// Temperatures, as fractions of the value.
constexpr double kWarm = 1e-3;
constexpr double kHot = 3e-3;
constexpr double kCold = 3e-5;

/// Then, a stretch of the search from the best so far, by both chains.
struct Round {
    double share; ///< of the budget
    double hot;   ///< temperatures
    double cold;
};

constexpr std::array<Round, 2> kRounds = {
    {{.share = 0.2, .hot = 3e-4, .cold = kCold}, {.share = 0.2, .hot = 1e-4, .cold = 1e-6}}};

/// Two chains on two threads. With a budget in evaluations each chain has its own number of them
/// and its own random numbers, and they exchange their best only where both have ended a part, so
/// that the result does not depend on which one is faster.
class Annealing {
public:
    explicit Annealing(const PlaceRequest& request)
        : request_(request)
        , problem_(request.problem)
        , reporter_(request)
        , begin_(SearchLimit::Clock::now())
        , seeds_(request.seed) {}

    PlaceResult run() {
        PlaceResult result;
        result.notes = pinNotes(*problem_);
        findStarts(result.notes);
        afterStarts_ = request_.maxEvaluations.value_or(0) - evaluations_;
        if (!over(1)) {
            const auto clusterings =
                std::make_shared<const Clusterings>(*problem_, seeds_, request_.stop);
            for (std::size_t i = 0; i < kChains; ++i) {
                chains_.emplace_back(problem_, request_.objective, clusterings, seeds_.next());
            }
            explore();
            double done = kExploring;
            for (const Round& round : kRounds) {
                done += round.share;
                if (over(done)) {
                    continue; // what came before took its time too
                }
                runRound(round, done);
            }
        }
        reporter_.tell(1, evaluations_, true);
        result.assignment = best_.assignment;
        result.makespan =
            Evaluator(problem_, request_.objective).makespan(best_.assignment, best_.value);
        result.value = best_.value;
        result.valueRuns = best_.runs;
        result.evaluations = evaluations_;
        return result;
    }

private:
    RankedStart counted(const sim::Assignment& assignment) {
        Evaluator evaluator(problem_, request_.objective);
        evaluator.stopOn(request_.stop);
        ++evaluations_;
        return rankedStart(evaluator, assignment);
    }

    void findStarts(std::vector<std::string>& notes) {
        if (const auto requested = requestedStart(request_, notes)) {
            starts_.push_back(counted(*requested));
            draws_ = false;
        } else {
            SearchLimit limit =
                request_.maxEvaluations
                    ? SearchLimit::forEvaluations(
                          std::clamp<std::int64_t>(*request_.maxEvaluations / 8,
                                                   *request_.maxEvaluations > 1 ? 1 : 0,
                                                   kPolicyRollouts),
                          request_.stop)
                    : SearchLimit::forEither(kMostForRollouts * request_.budgetSeconds,
                                             kPolicyRollouts, request_.stop);
            limit.lastAsLongAs(SearchLimit::of(request_));
            starts_ = searchStarts(request_, seeds_.next(), kStarts, limit,
                                   [&](const RankedStart& start) {
                                       ++evaluations_;
                                       reporter_.offer(start.assignment, start.value);
                                       reporter_.tell(used(), evaluations_);
                                   });
            const RankedStart& best = starts_.front();
            if (!over(1) && !Evaluator(problem_, request_.objective)
                                 .memoryIsSettled(best.assignment, best.value)) {
                addFittingStart();
            }
        }
        keep(starts_.front());
    }

    void addFittingStart() {
        const sim::Assignment fitting =
            withinMemory(request_, [](const sim::Problem& problem, MemoryCount memory) {
                return earliestTaskSchedule(problem, memory).assignment();
            });
        const RankedStart start = counted(fitting);
        if (start.runs > 0) {
            return; // given up
        }
        const auto place = starts_.begin() + (start.value < starts_.front().value ? 0 : 1);
        starts_.insert(place, start);
    }

    void explore() {
        std::vector<std::uint64_t> seeds;
        for (std::size_t i = 0; i < kChains; ++i) {
            seeds.push_back(seeds_.next());
        }
        std::vector<RankedStart> found(kChains);
        const std::int64_t share = request_.maxEvaluations
                                       ? evaluationsOfChain(kExploring)
                                       : std::numeric_limits<std::int64_t>::max();
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < kChains; ++i) {
            others.emplace_back([&, i] { found[i] = exploreBy(i, seeds[i], share); });
        }
        found[0] = exploreBy(0, seeds[0], share);
        others.clear(); // joins
        for (const RankedStart& each : found) {
            keep(each);
        }
    }

    /// One start after the other, each cooled down; returns the best.
    RankedStart exploreBy(std::size_t index, std::uint64_t seed, std::int64_t evaluations) {
        AnnealChain& chain = chains_[index];
        Random random(seed);
        RankedStart best;
        std::size_t next = index % starts_.size();
        const std::int64_t leg = std::max<std::int64_t>(1, kEvaluationsPerOp * problem_->opCount());
        for (std::int64_t i = 0; evaluations > 0; ++i) {
            // Longer and longer, as a long budget has room for; the last one takes the rest.
            const std::int64_t length = leg + leg * i / 4;
            const std::int64_t evaluationsHere =
                evaluations < length + length / 2 ? evaluations : length;
            evaluations -= evaluationsHere;
            SearchLimit limit = request_.maxEvaluations
                                    ? SearchLimit::forEvaluations(evaluationsHere, request_.stop)
                                    : SearchLimit::forEither(secondsUntil(kExploring),
                                                             evaluationsHere, request_.stop);
            if (limit.fraction() >= 1 || limit.stopped()) {
                break;
            }
            if (draws_ && i % kDrawEvery == kDrawEvery - 1) {
                limit.count(1);
                ++evaluations_;
                if (!chain.startFrom(criticalPathSchedule(*problem_, random.next()).assignment(),
                                     limit)) {
                    break;
                }
                anneal(chain, kWarm, kCold, limit, index == 0);
            } else {
                chain.startFrom(starts_[next].assignment, starts_[next].value);
                next = (next + kChains) % starts_.size();
                anneal(chain, i % 2 == 0 ? kWarm : kHot, kCold, limit, index == 0);
            }
            if (best.assignment.empty() || chain.bestValue() < best.value) {
                best = {chain.best(), chain.bestValue()};
            }
        }
        return best;
    }

    void runRound(const Round& round, double end) {
        const auto limit = [&] {
            return request_.maxEvaluations
                       ? SearchLimit::forEvaluations(evaluationsOfChain(round.share), request_.stop)
                       : SearchLimit::forSeconds(secondsUntil(end), request_.stop);
        };
        for (AnnealChain& chain : chains_) {
            chain.startFrom(best_.assignment, best_.value);
        }
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < kChains; ++i) {
            others.emplace_back([this, i, &round, own = limit()]() mutable {
                anneal(chains_[i], round.hot, round.cold, own, false);
            });
        }
        SearchLimit own = limit();
        anneal(chains_[0], round.hot, round.cold, own, true);
        others.clear(); // joins
        for (const AnnealChain& each : chains_) {
            keep({each.best(), each.bestValue()});
        }
    }

    void anneal(AnnealChain& chain, double hot, double cold, SearchLimit& limit, bool tells) {
        Time told = std::numeric_limits<Time>::max();
        chain.run(hot, cold, limit, [&] {
            ++evaluations_;
            if (chain.bestValue() < told) {
                told = chain.bestValue();
                reporter_.offer(chain.best(), told);
            }
            if (tells) {
                reporter_.tell(used(), evaluations_);
            }
        });
    }

    /// A chain's part of that share of what the starts left of the budget in evaluations. It does
    /// not depend on what the other chain does, nor on when.
    std::int64_t evaluationsOfChain(double share) const {
        return static_cast<std::int64_t>(static_cast<double>(afterStarts_) * share) /
               static_cast<std::int64_t>(kChains);
    }

    /// Share of the whole budget.
    double used() const {
        if (request_.maxEvaluations) {
            return static_cast<double>(evaluations_) /
                   static_cast<double>(std::max<std::int64_t>(1, *request_.maxEvaluations));
        }
        return 1 - secondsUntil(1) / std::max(request_.budgetSeconds, 1e-9);
    }

    /// Whatever came before took its time from it too.
    double secondsUntil(double share) const {
        const double passed =
            std::chrono::duration<double>(SearchLimit::Clock::now() - begin_).count();
        return request_.budgetSeconds * share - passed;
    }

    bool over(double share) const {
        return request_.stop.stop_requested() ||
               (request_.maxEvaluations ? evaluations_ >= *request_.maxEvaluations
                                        : secondsUntil(share) <= 0);
    }

    void keep(const RankedStart& found) {
        if (!found.assignment.empty() && (best_.assignment.empty() || found.value < best_.value)) {
            best_ = found;
            reporter_.offer(best_.assignment, best_.value);
        }
    }

    const PlaceRequest& request_;
    std::shared_ptr<const sim::Problem> problem_;
    SearchReporter reporter_;
    SearchLimit::Clock::time_point begin_;
    Random seeds_;
    bool draws_ = true; ///< critical path first gives starts too
    std::vector<RankedStart> starts_;
    std::vector<AnnealChain> chains_;
    std::atomic<std::int64_t> evaluations_{0};
    std::int64_t afterStarts_ = 0; ///< evaluations that the starts left of the budget
    RankedStart best_;
};

PlaceResult place(const PlaceRequest& request) {
    return Annealing(request).run();
}

} // namespace

PlacerEntry annealPlacer() {
    return {{.name = "anneal",
             .description =
                 "Simulated annealing from placements by policy and by rule: two chains of "
                 "random changes, with restarts.",
             .source = "Kirkpatrick, Gelatt, Vecchi 1983",
             .search = true,
             .random = true},
            place};
}

} // namespace doppler::place
