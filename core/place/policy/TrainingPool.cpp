#include "core/place/policy/TrainingPool.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "core/place/CriticalPath.h"
#include "core/place/policy/GeneratedProblems.h"
#include "core/place/policy/PolicyRollout.h"
#include "core/sim/Simulator.h"

namespace doppler::place {

namespace {

/// Calls work(i) for i < count from several threads.
void inParallel(std::size_t count, int threads, const auto& work) {
    std::atomic<std::size_t> next{0};
    const auto loop = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            work(i);
        }
    };
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) {
        others.emplace_back(loop);
    }
    loop();
}

} // namespace

TrainingPool::TrainingPool(int count, std::uint64_t firstSeed, int threads)
    : entries_(static_cast<std::size_t>(count)) {
    inParallel(entries_.size(), threads, [&](std::size_t i) {
        const auto problem = generatedProblem(firstSeed + i);
        Entry& entry = entries_[i];
        entry.problem = std::make_shared<const PolicyProblem>(problem);
        entry.criticalPath =
            std::max<Time>(1, sim::Simulator(problem).makespan(bestCriticalPath(problem, 1)));
    });
}

std::vector<std::vector<double>> TrainingPool::measure(const std::vector<std::size_t>& problems,
                                                       const std::vector<LinearPolicy>& policies,
                                                       int threads) const {
    std::vector<std::vector<double>> values(problems.size());
    inParallel(problems.size(), threads, [&](std::size_t i) {
        const Entry& entry = entries_[problems[i]];
        PolicyRollout rollout(entry.problem);
        sim::Simulator simulator(entry.problem->problem);
        for (const LinearPolicy& policy : policies) {
            const auto makespan = static_cast<double>(simulator.makespan(rollout.run(policy)));
            values[i].push_back(
                std::log(std::max(1.0, makespan) / static_cast<double>(entry.criticalPath)));
        }
    });
    return values;
}

} // namespace doppler::place
