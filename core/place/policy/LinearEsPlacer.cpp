#include <algorithm>

#include "core/place/PlacerEntry.h"
#include "core/place/SearchRun.h"
#include "core/place/policy/EvolutionStrategy.h"
#include "core/place/policy/PaperRollout.h"

namespace doppler::place {

namespace {

constexpr int kFirstPopulation = 16;
constexpr int kLargestPopulation = 128;
constexpr double kScale = 0.5;
/// A strategy without a better sample for that many generations has converged.
constexpr int kPatience = 120;

/// One strategy until it converges; false when the budget is used up.
bool evolve(SearchRun& run, PaperRollout& rollout, int population, Random& random) {
    EvolutionStrategy strategy(PaperRollout::startWeights(),
                               std::vector<double>(PaperRollout::kWeights, kScale), population,
                               Covariance::Full);
    Time best = std::numeric_limits<Time>::max();
    std::vector<double> values;
    for (int idle = 0; idle < kPatience; ++idle) {
        values.clear();
        for (const std::vector<double>& sample : strategy.ask(random)) {
            if (!run.take()) {
                return false;
            }
            const sim::Assignment& found = rollout.run(sample);
            if (!rollout.complete()) {
                return false;
            }
            const Time value = run.valueWithin(found, std::numeric_limits<Time>::max());
            values.push_back(static_cast<double>(value));
            if (value < best) {
                best = value;
                idle = -1;
            }
        }
        strategy.tell(values);
    }
    return true;
}

PlaceResult place(const PlaceRequest& request) {
    SearchRun run(request);
    run.start();
    if (run.problem().opCount() > 0 && run.problem().deviceCount() > 1) {
        const auto prepared = std::make_shared<const PolicyProblem>(request.problem, request.stop);
        if (!prepared->complete) {
            return run.result();
        }
        PaperRollout rollout(prepared);
        rollout.stopOn(request.stop);
        Random random(request.seed);
        // Restarts with growing populations (IPOP: Auger and Hansen 2005), then from small again.
        int population = kFirstPopulation;
        while (evolve(run, rollout, population, random)) {
            population = population < kLargestPopulation ? 2 * population : kFirstPopulation;
        }
    }
    return run.result();
}

} // namespace

PlacerEntry linearEsPlacer() {
    return {{.name = "linear-es",
             .description = "A linear dual policy of 66 weights, tuned on the graph by CMA-ES.",
             .source = "Hansen and Ostermeier 2001; features: DOPPLER, arXiv 2505.23131",
             .search = true,
             .random = true},
            place};
}

} // namespace doppler::place
