#include <QTest>

#include <algorithm>
#include <set>

#include "core/cluster/Cluster.h"
#include "core/learn/Checkpoint.h"
#include "core/learn/ProblemState.h"
#include "core/learn/Teacher.h"
#include "core/sim/Simulator.h"
#include "core/workload/Workload.h"

using namespace doppler;
using namespace doppler::learn;

namespace {

std::shared_ptr<const sim::Problem> chain() {
    const auto graph = workload::generate("chainmm:size=tiny");
    return sim::makeProblem(graph,
                            std::make_shared<const cluster::Cluster>(cluster::uniformCluster(2)),
                            cost::defaultCostModel(*graph), sim::SimOptions::published());
}

/// Of the ops that are ready, the episode always takes one of the largest b-level.
bool takesTheLargestLevel(const RolloutProblem& problem, const std::vector<OpId>& order) {
    std::vector<int> missing = problem.inDegree;
    for (const OpId id : order) {
        const auto op = static_cast<std::size_t>(id);
        for (std::size_t other = 0; other < missing.size(); ++other) {
            if (missing[other] == 0 && problem.bLevel[op] < problem.bLevel[other]) {
                return false;
            }
        }
        missing[op] = -1; // taken
        for (int i = problem.childBegin[op]; i < problem.childBegin[op + 1]; ++i) {
            --missing[static_cast<std::size_t>(problem.child[static_cast<std::size_t>(i)])];
        }
    }
    return true;
}

/// In the episode's order, each op is where nothing keeps it from starting earlier (like devices).
bool startsAsEarlyAsItCan(const RolloutProblem& problem, const Episode& episode) {
    std::vector<double> free(static_cast<std::size_t>(problem.devices), 0.0);
    std::vector<double> finish(static_cast<std::size_t>(problem.ops), 0.0);
    for (const OpId id : episode.order) {
        const auto op = static_cast<std::size_t>(id);
        std::vector<double> start = free;
        for (std::size_t device = 0; device < free.size(); ++device) {
            for (auto i = static_cast<std::size_t>(problem.parentBegin[op]);
                 i < static_cast<std::size_t>(problem.parentBegin[op + 1]); ++i) {
                const auto parent = static_cast<std::size_t>(problem.parent[i]);
                const bool here = episode.assignment[parent] == static_cast<DeviceId>(device);
                start[device] =
                    std::max(start[device], finish[parent] + (here ? 0 : problem.transfer[i]));
            }
        }
        const auto device = static_cast<std::size_t>(episode.assignment[op]);
        if (start[device] > *std::min_element(start.begin(), start.end()) + 1e-9) {
            return false;
        }
        finish[op] = start[device] + problem.compute[op * free.size() + device];
        free[device] = finish[op];
    }
    return true;
}

} // namespace

class TestCriticalPathTeacher : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const sim::Problem> problem_ = chain();
    TrainOptions options_ = presetOptions("paper");
    ProblemState state_{problem_, options_, networkShape(options_), 1, nullptr};

private Q_SLOTS:
    void itsTiesAreDrawn() {
        std::set<std::vector<OpId>> orders;
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            const Episode teacher = criticalPathTeacher(state_, seed);
            orders.insert(teacher.order);
            QVERIFY(takesTheLargestLevel(*state_.rollout, teacher.order));
            QVERIFY(startsAsEarlyAsItCan(*state_.rollout, teacher));
            QCOMPARE(teacher.makespan, sim::Simulator(problem_).makespan(teacher.assignment));
        }
        QVERIFY(orders.size() > 1);
    }

    // In an ablation the same rule stands in for the other half of the policy.
    void theRuleThatTeachesIsTheRuleOfAblations() {
        const std::vector<double>& level = state_.rollout->bLevel;
        const double highest = *std::max_element(level.begin(), level.end());
        for (std::size_t op = 0; op < level.size(); ++op) {
            state_.tables.score[op] = static_cast<float>(100 * level[op] / highest);
        }
        state_.tables.prepare();
        Episode episode;
        Rollout& rollout = state_.rollouts[0];
        rollout.run(state_.tables, {.greedy = true, .mode = PolicyMode::SelOnly}, 1, episode);
        QVERIFY(takesTheLargestLevel(*state_.rollout, episode.order));
        QVERIFY(startsAsEarlyAsItCan(*state_.rollout, episode));
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            rollout.run(state_.tables, {.mode = PolicyMode::PlcOnly}, seed, episode);
            QVERIFY(takesTheLargestLevel(*state_.rollout, episode.order));
        }
    }
};

QTEST_GUILESS_MAIN(TestCriticalPathTeacher)
#include "TestCriticalPathTeacher.moc"
