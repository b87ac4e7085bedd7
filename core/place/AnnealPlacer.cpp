#include <array>
#include <atomic>
#include <thread>

#include "core/place/AnnealChain.h"
#include "core/place/CriticalPath.h"
#include "core/place/EarliestTask.h"
#include "core/place/PlacerEntry.h"
#include "core/place/SearchReporter.h"
#include "core/place/SearchStart.h"

namespace doppler::place {

namespace {

constexpr std::size_t kChains = 2;

/// A stretch of the search. Chains run on their own; between rounds they exchange their best.
struct Round {
    double share; ///< of the budget
    double hot;   ///< temperatures, as fractions of the value
    double cold;
    bool afresh; ///< from a start by rule; otherwise from the best so far
};

constexpr double kCold = 3e-5;
constexpr std::array<Round, 4> kRounds = {
    {{.share = 0.3, .hot = 1e-3, .cold = kCold, .afresh = true},
     {.share = 0.3, .hot = 1e-3, .cold = kCold, .afresh = true},
     {.share = 0.2, .hot = 3e-4, .cold = kCold, .afresh = false},
     {.share = 0.2, .hot = 1e-4, .cold = 1e-6, .afresh = false}}};

class Annealing {
public:
    explicit Annealing(const PlaceRequest& request)
        : request_(request)
        , problem_(request.problem)
        , reporter_(request)
        , begin_(SearchLimit::Clock::now())
        , tightMemory_(request.objective.memory != Objective::Memory::Ignore &&
                       memoryMatters(*request.problem))
        , seeds_(request.seed) {}

    PlaceResult run() {
        PlaceResult result;
        result.notes = pinNotes(*problem_);
        requested_ = requestedStart(request_, result.notes);
        const auto clusterings =
            std::make_shared<const Clusterings>(*problem_, seeds_, request_.stop);
        for (std::size_t i = 0; i < kChains; ++i) {
            chains_.emplace_back(problem_, request_.objective, clusterings, seeds_.next());
        }
        double done = 0;
        for (const Round& round : kRounds) {
            if (!best_.empty() && limitFor(round, done).fraction() >= 1) {
                continue; // what came before took its time too
            }
            if (!best_.empty() && request_.stop.stop_requested()) {
                break;
            }
            runRound(round, done);
            done += round.share;
        }
        reporter_.tell(1, evaluations(), true);
        result.assignment = best_;
        result.makespan = sim::Simulator(problem_).makespan(best_);
        result.evaluations = evaluations();
        return result;
    }

private:
    sim::Assignment startOf(std::size_t chain) {
        if (requested_) {
            return *requested_;
        }
        if (chain > 0 && tightMemory_) {
            return withinMemory(request_, [](const sim::Problem& problem, MemoryCount memory) {
                return earliestTaskSchedule(problem, memory).assignment();
            });
        }
        const std::uint64_t seed = seeds_.next();
        return chain == 0 ? bestCriticalPath(problem_, seed)
                          : criticalPathSchedule(*problem_, seed).assignment();
    }

    void runRound(const Round& round, double done) {
        for (std::size_t i = 0; i < kChains; ++i) {
            const bool late = !best_.empty() && limitFor(round, done).fraction() >= 1;
            chains_[i].startFrom(round.afresh && !late ? startOf(i) : best_);
            keep(chains_[i]);
        }
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < kChains; ++i) {
            others.emplace_back([this, i, &round, limit = limitFor(round, done)]() mutable {
                AnnealChain& chain = chains_[i];
                Time told = chain.bestValue();
                chain.run(round.hot, round.cold, limit, [&] {
                    otherEvaluations_.fetch_add(1, std::memory_order_relaxed);
                    offerIfBetter(chain, told);
                });
            });
        }
        AnnealChain& chain = chains_[0];
        Time told = chain.bestValue();
        SearchLimit limit = limitFor(round, done);
        chain.run(round.hot, round.cold, limit, [&] {
            offerIfBetter(chain, told);
            reporter_.tell(done + round.share * limit.fraction(),
                           chain.evaluations() + otherEvaluations_);
        });
        others.clear(); // joins
        for (const AnnealChain& each : chains_) {
            keep(each);
        }
    }

    void offerIfBetter(const AnnealChain& chain, Time& told) {
        if (chain.bestValue() < told) {
            told = chain.bestValue();
            reporter_.offer(chain.best(), told);
        }
    }

    /// A round ends when its share of the whole budget is over, whatever came before it took.
    SearchLimit limitFor(const Round& round, double done) const {
        if (request_.maxEvaluations) {
            const auto total = static_cast<double>(*request_.maxEvaluations) / kChains;
            return SearchLimit::forEvaluations(static_cast<std::int64_t>(total * round.share),
                                               request_.stop);
        }
        const double passed =
            std::chrono::duration<double>(SearchLimit::Clock::now() - begin_).count();
        return SearchLimit::forSeconds(request_.budgetSeconds * (done + round.share) - passed,
                                       request_.stop);
    }

    void keep(const AnnealChain& chain) {
        if (best_.empty() || chain.bestValue() < bestValue_) {
            best_ = chain.best();
            bestValue_ = chain.bestValue();
            reporter_.offer(best_, bestValue_);
        }
    }

    std::int64_t evaluations() const {
        std::int64_t sum = 0;
        for (const AnnealChain& chain : chains_) {
            sum += chain.evaluations();
        }
        return sum;
    }

    const PlaceRequest& request_;
    std::shared_ptr<const sim::Problem> problem_;
    SearchReporter reporter_;
    SearchLimit::Clock::time_point begin_;
    bool tightMemory_;
    Random seeds_;
    std::optional<sim::Assignment> requested_;
    std::vector<AnnealChain> chains_;
    std::atomic<std::int64_t> otherEvaluations_{0};
    sim::Assignment best_;
    Time bestValue_ = 0;
};

PlaceResult place(const PlaceRequest& request) {
    return Annealing(request).run();
}

} // namespace

PlacerEntry annealPlacer() {
    return {{.name = "anneal",
             .description = "Simulated annealing: two chains of random changes, with restarts.",
             .source = "Kirkpatrick, Gelatt, Vecchi 1983",
             .search = true,
             .random = true},
            place};
}

} // namespace doppler::place
