#include <algorithm>
#include <limits>
#include <optional>

#include "core/place/AnnealChain.h"
#include "core/place/ExactSearch.h"
#include "core/place/MemoryNotes.h"
#include "core/place/PlacerEntry.h"
#include "core/place/SearchRun.h"
#include "core/sim/Bounds.h"

namespace doppler::place {

namespace {

// A short annealing finds what branch and bound then proves: of the budget, and evaluations an op.
constexpr double kAnnealedShare = 0.1;
constexpr std::int64_t kMostAnnealedPerOp = 200;
constexpr double kHot = 3e-2;
constexpr double kCold = 1e-4;

/// Nothing bounds what random durations may come to.
bool boundsHold(const PlaceRequest& request) {
    return request.problem->options.durationVariation == 0 &&
           request.objective.measure == Objective::Measure::Makespan;
}

/// Improves on the start of `run`, with all of the budget or a short share of it.
void anneal(const PlaceRequest& request, SearchRun& run, bool wholeBudget) {
    Random random(request.seed);
    const auto clusterings =
        std::make_shared<const Clusterings>(*request.problem, random, request.stop);
    AnnealChain chain(request.problem, request.objective, clusterings, random.next());
    chain.startFrom(run.best(), run.bestValue());
    const double share = wholeBudget ? 1 : kAnnealedShare;
    const std::int64_t most = wholeBudget ? std::numeric_limits<std::int64_t>::max()
                                          : kMostAnnealedPerOp * request.problem->opCount();
    SearchLimit limit =
        request.maxEvaluations
            ? SearchLimit::forEvaluations(
                  std::min({static_cast<std::int64_t>(share *
                                                      static_cast<double>(*request.maxEvaluations)),
                            most, run.limit().left()}),
                  request.stop)
            : SearchLimit::forSeconds(std::min(share, 1 - run.fraction()) * request.budgetSeconds,
                                      request.stop);
    chain.run(kHot, kCold, limit, [&] {
        run.tellOfPart(1, chain.best(), chain.bestValue());
        if (chain.evaluations() >= most) {
            limit.end();
        }
    });
}

std::string verdict(bool proved, bool fits) {
    if (!fits) {
        // The value is the makespan with what the overflow adds: neither alone is proved least.
        return proved
                   ? "no placement fits the memory: proved, with the least value of overflow and "
                     "makespan together"
                   : "no placement that fits the memory was found within the budget";
    }
    return proved ? "optimal: no assignment is better"
                  : "not proved to be optimal within the budget";
}

PlaceResult place(const PlaceRequest& request) {
    const sim::Problem& problem = *request.problem;
    SearchRun run(request);
    const bool small = problem.opCount() <= ExactSearch::kMostOps;
    run.start();
    const bool bounded = boundsHold(request) && !request.stop.stop_requested();
    const Time known = bounded ? sim::lowerBound(problem, request.stop).value : 0;
    if (run.bestValue() > known) {
        Random seeds(request.seed);
        run.improveByPolicy(seeds.next());
    }
    if (run.bestValue() > known && !request.stop.stop_requested()) {
        anneal(request, run, !small);
    }
    Time proved = known;
    if (!small) {
        run.addNote("more than " + std::to_string(ExactSearch::kMostOps) +
                    " ops: annealed, nothing enumerated");
    } else if (run.bestValue() > known) {
        ExactSearch search(problem, boundsHold(request),
                           {.value =
                                [&](const sim::Assignment& assignment, Time limit) {
                                    const Time value = run.valueWithin(assignment, limit);
                                    return run.evaluator().gaveUp() ? std::nullopt
                                                                    : std::optional(value);
                                },
                            .goOn = [&] { return run.take(); }});
        proved = search.run(run.bestValue(), known);
    }
    PlaceResult result = run.result();
    result.provedBound = std::min(proved, run.bestValue());
    const bool fits = request.objective.memory != Objective::Memory::Hard ||
                      result.value == result.makespan || // what lacks memory has a larger one
                      memoryNotes(request.problem, result.assignment).empty();
    result.notes.push_back(verdict(*result.provedBound == run.bestValue(), fits));
    return result;
}

} // namespace

PlacerEntry exactPlacer() {
    return {{.name = "exact",
             .description = "Branch and bound over all assignments of a small graph; says what it "
                            "proved.",
             .source = "Land, Doig 1960",
             .search = true,
             .random = true},
            place};
}

} // namespace doppler::place
