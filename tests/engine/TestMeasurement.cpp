#include <algorithm>
#include <numeric>

#include <QTest>

#include "core/engine/Measurement.h"
#include "core/engine/Runtimes.h"
#include "core/engine/emulated/EmulatedRuntime.h"
#include "core/io/Formats.h"

using namespace doppler;

namespace {

constexpr int kManyRuns = 1000;

/// Stopped when the run `stopBefore` begins.
engine::Measurement measured(std::uint64_t seed, int repeats, int stopBefore = kManyRuns,
                             const std::function<engine::MachineLoad()>& load = {}) {
    const auto program = engine::executableProgram("chainmm:size=tiny");
    const auto cluster = io::openCluster("p100x4");
    const auto problem =
        sim::makeProblem(program->graph, cluster, cost::CostModel::Physical, sim::SimOptions{});
    engine::EmulatedRuntime runtime(engine::testbedOf(*cluster), seed);
    engine::Executor executor(problem, runtime);
    std::stop_source stop;
    engine::MeasurementRequest request;
    for (OpId op = 0; op < problem->opCount(); ++op) {
        request.assignment.push_back(op % problem->deviceCount());
    }
    request.repeats = repeats;
    request.stop = stop.get_token();
    request.load = load;
    request.runBegins = [&](int run) {
        if (run == stopBefore) {
            stop.request_stop();
        }
    };
    return engine::measure(executor, request);
}

} // namespace

class TestMeasurement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStopKeepsTheRunsBeforeIt() {
        const engine::Measurement whole = measured(1, 12);
        const engine::Measurement stopped = measured(1, kManyRuns, 12);
        QCOMPARE(whole.outcome, engine::Outcome::Done);
        QCOMPARE(stopped.outcome, engine::Outcome::Cancelled);
        QCOMPARE(stopped.makespans, whole.makespans);
        QCOMPARE(stopped.timeline.makespan, whole.timeline.makespan);
        QCOMPARE(stopped.timeline.intervals.size(), whole.timeline.intervals.size());
    }

    void aStopBeforeTheFirstRunLeavesNothing() {
        const engine::Measurement stopped = measured(1, kManyRuns, 0);
        QCOMPARE(stopped.outcome, engine::Outcome::Cancelled);
        QVERIFY(stopped.makespans.empty());
        QVERIFY(stopped.timeline.intervals.empty());
    }

    void disturbedRunsAreKnown_data() {
        QTest::addColumn<int>("others");
        QTest::addColumn<double>("waited"); // share of all makespans
        QTest::addColumn<bool>("quiet");
        QTest::newRow("alone") << 0 << 0.0 << true;
        QTest::newRow("somebody at the end") << 1 << 0.0 << false;
        QTest::newRow("long waits") << 0 << 2.0 << false;
    }

    void disturbedRunsAreKnown() {
        QFETCH(int, others);
        QFETCH(double, waited);
        QFETCH(bool, quiet);
        const engine::Measurement alone = measured(1, 5);
        QVERIFY(alone.quiet);
        const Time total = std::accumulate(alone.makespans.begin(), alone.makespans.end(), Time{0});
        const Time copies = 5 * engine::copyTimeOf(alone.timeline); // about
        int looks = 0;
        const auto load = [&]() -> engine::MachineLoad {
            if (++looks == 1) {
                return {.runDelay = 1000, .others = 0};
            }
            const double delay = waited * static_cast<double>(total + copies);
            return {.runDelay = 1000 + static_cast<Time>(delay), .others = others};
        };
        QCOMPARE(measured(1, 5, kManyRuns, load).quiet, quiet);
        QCOMPARE(looks, 2);
    }

    // Runs of one series would otherwise count twice in a mean over seeds.
    void emulatedRunsOfNeighbouringSeedsAreOthers() {
        const engine::Measurement first = measured(1, 20);
        const engine::Measurement second = measured(2, 20);
        for (const Time makespan : first.makespans) {
            QCOMPARE(std::count(second.makespans.begin(), second.makespans.end(), makespan), 0);
        }
        QCOMPARE(measured(1, 20).makespans, first.makespans);
    }
};

QTEST_GUILESS_MAIN(TestMeasurement)
#include "TestMeasurement.moc"
