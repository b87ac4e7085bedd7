#include <QTest>

#include "core/engine/Executor.h"
#include "core/engine/RuntimeEvaluator.h"
#include "core/engine/emulated/EmulatedRuntime.h"
#include "core/graph/InputError.h"
#include "core/sim/Simulator.h"
#include "core/sim/TimelineCheck.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;

namespace {

std::shared_ptr<const sim::Problem> someProblem(std::uint64_t seed) {
    tests::RandomProblemSpec spec;
    spec.ops = 60;
    spec.devices = 4;
    spec.largestCost = 100'000;
    return tests::randomProblem(spec, seed);
}

engine::Execution runOn(engine::EmulatedRuntime& runtime,
                        const std::shared_ptr<const sim::Problem>& problem,
                        const sim::Assignment& assignment) {
    engine::Executor executor(problem, runtime);
    executor.prepare(assignment);
    return executor.run();
}

/// Assumes what is true.
engine::Testbed perfect() {
    engine::Testbed testbed;
    testbed.efficiency.fill(1);
    testbed.contention = sim::LinkContention::PerPair;
    return testbed;
}

} // namespace

class TestEmulatedRuntime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTestbedKeepsTheInvariants() {
        for (const engine::Testbed& testbed : engine::testbeds()) {
            for (std::uint64_t seed = 0; seed < 50; ++seed) {
                const auto problem = someProblem(seed);
                const sim::Assignment assignment = tests::randomAssignment(*problem, seed);
                engine::EmulatedRuntime runtime(testbed, seed);
                engine::Executor executor(problem, runtime);
                executor.prepare(assignment);
                const engine::Execution run = executor.run();
                QVERIFY2(run.outcome == engine::Outcome::Done, run.message.c_str());
                const auto violation =
                    sim::findViolation(*executor.problem(), assignment, run.timeline, false);
                QVERIFY2(!violation, violation.value_or("").c_str());
                QVERIFY(runtime.info().emulated);
            }
        }
    }

    // Without hidden differences the executor in virtual time is the simulator, but for the order
    // of events of one moment.
    void aPerfectTestbedAgreesWithTheSimulator() {
        int alike = 0;
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            const auto problem = someProblem(seed);
            const sim::Assignment assignment = tests::randomAssignment(*problem, seed);
            engine::EmulatedRuntime runtime(perfect());
            const Time real = runOn(runtime, problem, assignment).timeline.makespan;
            alike += real == sim::Simulator(problem).makespan(assignment) ? 1 : 0;
        }
        QVERIFY2(alike >= 45, qPrintable(QString::number(alike)));
    }

    void aRealTestbedIsSlowerThanAssumed() {
        const auto problem = someProblem(7);
        const sim::Assignment assignment = tests::randomAssignment(*problem, 7);
        engine::EmulatedRuntime runtime(engine::findTestbed("p100x4-testbed"));
        QVERIFY(runOn(runtime, problem, assignment).timeline.makespan >
                sim::Simulator(problem).makespan(assignment));
    }

    void seedsAreLuck() {
        const auto problem = someProblem(3);
        const sim::Assignment assignment = tests::randomAssignment(*problem, 3);
        const auto evaluator =
            engine::testbedEvaluator(problem, engine::findTestbed("v100x8-testbed"), 2);
        const Time first = evaluator->evaluate(0, assignment, 11);
        QCOMPARE(evaluator->evaluate(1, assignment, 11), first); // whatever the lane
        QVERIFY(evaluator->evaluate(0, assignment, 12) != first);
        QCOMPARE(evaluator->evaluate(0, assignment, 11), first);
        QCOMPARE(evaluator->name(), std::string("emulated"));
    }

    void unknownNamesAreTold() {
        try {
            engine::findTestbed("h900");
            QFAIL("no error");
        } catch (const InputError& error) {
            QVERIFY(std::string(error.what()).find("p100x4-testbed") != std::string::npos);
        }
        QCOMPARE(engine::testbedOf(cluster::uniformCluster(3)).name, std::string("testbed"));
    }
};

QTEST_GUILESS_MAIN(TestEmulatedRuntime)
#include "TestEmulatedRuntime.moc"
