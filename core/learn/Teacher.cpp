#include "core/learn/Teacher.h"

#include <algorithm>

#include "core/learn/Learner.h"
#include "core/place/AnnealChain.h"
#include "core/place/CriticalPath.h"
#include "core/place/ReadyQueue.h"
#include "core/place/Registry.h"

namespace doppler::learn {

namespace {

// Temperatures of polishing, as shares of the makespan.
constexpr double kHot = 3e-4;
constexpr double kCold = 1e-6;

} // namespace

std::int64_t annealingEvaluations(const sim::Problem& problem, double seconds) {
    constexpr double kOpsAndEdgesPerSecond = 2.2e7;
    constexpr double kFewest = 500;
    constexpr double kMostPerOp = 1'000;
    const double size = problem.opCount() + problem.graph->edgeCount();
    return static_cast<std::int64_t>(
        std::clamp(seconds * kOpsAndEdgesPerSecond / std::max(size, 1.0), kFewest,
                   std::max(kMostPerOp * problem.opCount(), kFewest)));
}

std::vector<Episode> annealedTeachers(const ProblemState& state, int count, double secondsEach,
                                      std::uint64_t seed, std::stop_token stop,
                                      const std::function<void(double)>& report) {
    std::vector<Episode> episodes;
    for (int i = 0; i < count && (i == 0 || !stop.stop_requested()); ++i) {
        place::PlaceRequest request;
        request.problem = state.problem;
        request.seed = mixSeeds(seed, 11, static_cast<std::uint64_t>(i));
        request.maxEvaluations = 2 * annealingEvaluations(*state.problem, secondsEach);
        request.stop = stop;
        request.progress = [&](const place::PlaceProgress& progress) {
            report((i + std::max(progress.fraction, 0.0)) / count);
        };
        const place::PlaceResult result = place::makePlacer("anneal")->place(request);
        episodes.push_back(imitationEpisode(*state.rollout, result.assignment));
    }
    return episodes;
}

Episode criticalPathTeacher(const ProblemState& state, std::uint64_t seed) {
    const sim::Problem& problem = *state.problem;
    const place::ListSchedule schedule = place::criticalPathSchedule(problem, seed);
    Episode episode = imitationEpisode(*state.rollout, schedule.assignment());
    // The heuristic's own order, not that of the simulation: the same queue with the same ties.
    place::ReadyQueue queue(*problem.graph, state.rollout->bLevel, seed);
    episode.order.clear();
    while (!queue.empty()) {
        episode.order.push_back(queue.take());
    }
    episode.assignment = schedule.assignment();
    renameDevices(*state.rollout, episode);
    return episode;
}

std::vector<Episode> polished(const ProblemState& state, WorkerPool& pool,
                              const std::vector<const sim::Assignment*>& starts,
                              std::int64_t evaluations, std::uint64_t seed, std::stop_token stop) {
    place::Random random(seed);
    const auto clusterings = std::make_shared<const place::Clusterings>(*state.problem, random);
    std::vector<Episode> results(starts.size());
    pool.run(static_cast<int>(starts.size()), [&](int, int i) {
        const auto index = static_cast<std::size_t>(i);
        place::AnnealChain chain(state.problem, place::Objective(), clusterings,
                                 mixSeeds(seed, 12, index));
        chain.startFrom(*starts[index]);
        place::SearchLimit limit = place::SearchLimit::forEvaluations(evaluations, stop);
        chain.run(kHot, kCold, limit);
        results[index] = imitationEpisode(*state.rollout, chain.best());
    });
    return results;
}

} // namespace doppler::learn
