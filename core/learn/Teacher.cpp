#include "core/learn/Teacher.h"

#include <algorithm>
#include <chrono>

#include "core/learn/Learner.h"
#include "core/place/AnnealChain.h"
#include "core/place/CriticalPath.h"
#include "core/place/PlacerEntry.h"
#include "core/place/ReadyQueue.h"
#include "core/place/policy/PolicyPortfolio.h"
#include "core/place/policy/TunedPolicies.h"

namespace doppler::learn {

namespace {

// Temperatures of polishing, as shares of the makespan.
constexpr double kHot = 3e-4;
constexpr double kCold = 1e-6;
// Of the teacher's annealing: hot enough to leave the basin it starts in, where that is narrow.
constexpr double kTeacherHot = 1e-3;
constexpr double kTeacherCold = 3e-6;

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kReportEvery(50);

struct Found {
    sim::Assignment assignment;
    Time value = 0; // what does not fit the devices' memory comes last
};

void sortDistinct(std::vector<Found>& found) {
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.value < b.value; });
    const auto same = [](const Found& a, const Found& b) { return a.assignment == b.assignment; };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
}

/// Rollouts that are worth their time for tuning one policy.
std::int64_t tuningRollouts(const sim::Problem& problem, double seconds) {
    constexpr double kDeviceRowsPerSecond = 2.5e7;
    constexpr double kFewest = 32;
    constexpr double kMostPerOp = 12;
    const double size =
        (problem.opCount() + problem.graph->edgeCount()) * std::max(problem.deviceCount(), 4);
    return static_cast<std::int64_t>(
        std::clamp(seconds * kDeviceRowsPerSecond / std::max(size, 1.0), kFewest,
                   std::max(kMostPerOp * problem.opCount(), kFewest)));
}

std::vector<Found> tunedPlacements(const ProblemState& state, WorkerPool& pool,
                                   const TeacherSearch& search, const std::stop_token& stop,
                                   const std::function<void(double)>& report) {
    const std::vector<place::LinearPolicy>& members = place::shippedPolicies().members;
    const auto problem = std::make_shared<const place::PolicyProblem>(state.problem);
    const std::int64_t rollouts = tuningRollouts(*state.problem, search.tuningSeconds);
    const int count = std::max(search.policies, 1);
    std::vector<Found> found(static_cast<std::size_t>(count));
    pool.run(count, [&](int worker, int i) {
        if (i > 0 && stop.stop_requested()) {
            return; // the first is what there is at least
        }
        const auto index = static_cast<std::size_t>(i);
        const place::LinearPolicy& start =
            members.empty() ? place::handRule() : members[index % members.size()];
        const place::TunedPolicy tuned = place::tunePolicy(
            problem, start, rollouts, mixSeeds(search.seed, 14, index), stop, [&](double share) {
                if (worker == 0) { // takes about as many as the others
                    report((i + share) / count);
                }
            });
        found[index] = {tuned.assignment, tuned.value};
        if (worker == 0) { // on a large graph there was no time for more than one rollout
            report((i + 1.0) / count);
        }
    });
    std::erase_if(found, [](const Found& each) { return each.assignment.empty(); });
    sortDistinct(found);
    return found;
}

/// Adds what annealing makes of the first ones.
void anneal(std::vector<Found>& found, const ProblemState& state, WorkerPool& pool,
            const TeacherSearch& search, const std::stop_token& stop,
            const std::function<void(double)>& report) {
    place::Random random(mixSeeds(search.seed, 15, 0));
    const auto clusterings =
        std::make_shared<const place::Clusterings>(*state.problem, random, stop);
    const std::int64_t evaluations = annealingEvaluations(*state.problem, search.annealingSeconds);
    const int count = search.annealed;
    const std::size_t starts = std::min(found.size(), static_cast<std::size_t>(count));
    std::vector<Found> results(static_cast<std::size_t>(count));
    pool.run(count, [&](int worker, int i) {
        const auto index = static_cast<std::size_t>(i);
        place::AnnealChain chain(state.problem, place::Objective(), clusterings,
                                 mixSeeds(search.seed, 11, index));
        chain.startFrom(found[index % starts].assignment);
        place::SearchLimit limit = place::SearchLimit::forEvaluations(evaluations, stop);
        Clock::time_point told = Clock::now();
        chain.run(kTeacherHot, kTeacherCold, limit, [&] {
            if (worker == 0 && Clock::now() - told >= kReportEvery) {
                told = Clock::now();
                report((i + limit.fraction()) / count);
            }
        });
        results[index] = {chain.best(), chain.bestValue()};
    });
    found.insert(found.end(), results.begin(), results.end());
}

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

Episode findTeacher(const ProblemState& state, WorkerPool& pool, const TeacherSearch& search,
                    const std::stop_token& stop, const std::function<void(double)>& report) {
    const double whole =
        search.policies * search.tuningSeconds + search.annealed * search.annealingSeconds;
    const double tuningShare = search.policies * search.tuningSeconds / std::max(whole, 1e-9);
    std::vector<Found> found = tunedPlacements(state, pool, search, stop,
                                               [&](double share) { report(share * tuningShare); });
    if (search.annealed > 0) {
        const sim::Assignment rule =
            place::bestCriticalPath(state.problem, mixSeeds(search.seed, 13, 0));
        found.push_back({rule, place::Evaluator(state.problem, place::Objective()).value(rule)});
        sortDistinct(found);
    }
    if (search.annealed > 0 && !stop.stop_requested()) {
        anneal(found, state, pool, search, stop,
               [&](double share) { report(tuningShare + share * (1 - tuningShare)); });
    }
    sortDistinct(found);
    return imitationEpisode(*state.rollout, found.front().assignment);
}

Episode criticalPathTeacher(const ProblemState& state, std::uint64_t seed) {
    const sim::Problem& problem = *state.problem;
    Episode episode;
    episode.reset(state.rollout->ops);
    place::PlaceRequest request;
    request.problem = state.problem;
    episode.assignment =
        place::withinMemory(request, [seed](const sim::Problem& each, place::MemoryCount memory) {
            return place::criticalPathSchedule(each, seed, memory).assignment();
        });
    episode.makespan = sim::Simulator(state.problem).makespan(episode.assignment);
    // The order that the heuristic took them in: the same queue with the same ties.
    place::ReadyQueue queue(*problem.graph, state.rollout->bLevel, seed);
    for (OpId& op : episode.order) {
        op = queue.take();
    }
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
