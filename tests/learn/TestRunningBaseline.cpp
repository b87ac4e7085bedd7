#include <QTest>

#include <cmath>

#include "core/cluster/Cluster.h"
#include "core/learn/Checkpoint.h"
#include "core/learn/Learner.h"
#include "core/learn/ProblemState.h"
#include "core/learn/RunningBaseline.h"
#include "core/workload/Workload.h"

using namespace doppler;
using namespace doppler::learn;

class TestRunningBaseline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // However much the first episode is off, it weighs no more than the next ones.
    void firstEpisodesCountAlike() {
        RunningBaseline baseline;
        for (const Time makespan : {900, 100, 100, 100}) {
            baseline.add(std::vector<Time>{makespan}, 0.05);
        }
        QVERIFY(std::abs(baseline.mean - 300) < 1e-9);
        QVERIFY(std::abs(baseline.spread() - std::sqrt(120'000.0)) < 1e-6);
    }

    void laterEpisodesCountWithTheirShare() {
        RunningBaseline baseline;
        for (int i = 0; i < 100; ++i) {
            baseline.add(std::vector<Time>{100}, 0.1);
        }
        baseline.add(std::vector<Time>{200}, 0.1);
        QVERIFY(std::abs(baseline.mean - 110) < 1e-6);
    }

    // A batch's own mean and spread: an update compared with itself alone.
    void ofOneUpdateItIsThatUpdates() {
        RunningBaseline baseline;
        baseline.add(std::vector<Time>{1, 3}, 1);
        baseline.add(std::vector<Time>{10, 30}, 1);
        QCOMPARE(baseline.mean, 20.0);
        QCOMPARE(baseline.spread(), 10.0);
    }

    void nothingIsLearntBeforeItHasSettled() {
        const auto graph = workload::generate("chainmm:size=tiny");
        const auto problem = sim::makeProblem(
            graph, std::make_shared<const cluster::Cluster>(cluster::uniformCluster(2)),
            cost::defaultCostModel(*graph), sim::SimOptions::published());
        TrainOptions options = presetOptions("paper");
        options.hidden = 8;
        const NetworkShape shape = networkShape(options);
        Learner learner(options, shape, 1, 0);
        learner.weights() = shape.initial(1);
        ProblemState state(problem, options, shape, 1, nullptr);
        const std::vector<float> before = learner.weights();
        std::uint64_t seed = 0;
        while (!state.baseline.settled()) {
            QVERIFY(learner.weights() == before);
            learner.reinforce(state, {.choosing = {}, .rate = 1e-3, .seed = ++seed});
        }
        QVERIFY(seed > 10);
        QVERIFY(learner.weights() == before);
        learner.reinforce(state, {.choosing = {}, .rate = 1e-3, .seed = ++seed});
        QVERIFY(learner.weights() != before);
    }
};

QTEST_GUILESS_MAIN(TestRunningBaseline)
#include "TestRunningBaseline.moc"
