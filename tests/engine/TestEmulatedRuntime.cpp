#include <QTest>

#include <atomic>
#include <random>
#include <thread>

#include "core/engine/Executor.h"
#include "core/engine/RuntimeEvaluator.h"
#include "core/engine/emulated/EmulatedRuntime.h"
#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/sim/Simulator.h"
#include "core/sim/TimelineCheck.h"
#include "tests/support/FakeRuntime.h"
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

/// Two ops, and two devices of which the second has no room for one.
std::shared_ptr<const sim::Problem> problemWithSmallDevice() {
    graph::GraphBuilder builder("two");
    builder.addOp({.name = "first", .outputBytes = 1000, .flops = 1'000'000'000});
    builder.addOp({.name = "second", .outputBytes = 1000, .flops = 1'000'000'000});
    builder.addEdge(0, 1);
    const cluster::Cluster uniform = cluster::uniformCluster(2);
    std::vector<cluster::Device> devices = uniform.devices();
    devices.back().capacityBytes = 500;
    std::vector<cluster::Link> links;
    for (DeviceId from = 0; from < 2; ++from) {
        for (DeviceId to = 0; to < 2; ++to) {
            links.push_back(uniform.link(from, to));
        }
    }
    return sim::makeProblem(builder.build(),
                            std::make_shared<const cluster::Cluster>("uneven", devices, links),
                            cost::CostModel::Physical, {});
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

    // Training samples them: they are bad, not the end of it, and have no makespan.
    void placementsTooBigForAMemoryCannotRun() {
        const auto problem = problemWithSmallDevice();
        const auto runtime = std::make_shared<engine::EmulatedRuntime>(perfect());
        for (const auto& evaluator : {engine::testbedEvaluator(problem, perfect(), 1),
                                      engine::runtimeEvaluator(problem, runtime)}) {
            const Time fits = evaluator->evaluate(0, sim::Assignment{0, 0}, 1);
            QVERIFY(fits > 0);
            QVERIFY_EXCEPTION_THROWN(evaluator->evaluate(0, sim::Assignment{0, 1}, 1),
                                     learn::CannotRun);
            QCOMPARE(evaluator->evaluate(0, sim::Assignment{0, 0}, 1), fits);
        }
    }

    void aDeviceThatIsFullIsNoEndOfTraining() {
        const auto problem = someProblem(3);
        const auto runtime = std::make_shared<tests::FakeRuntime>(
            tests::FakeBehaviour{.seed = 2, .fullPreparation = 1});
        const auto evaluator = engine::runtimeEvaluator(problem, runtime);
        const sim::Assignment assignment = tests::randomAssignment(*problem, 3);
        const Time fits = evaluator->evaluate(0, assignment, 1);
        QVERIFY_EXCEPTION_THROWN(evaluator->evaluate(0, assignment, 1), learn::CannotRun);
        QVERIFY(evaluator->evaluate(0, assignment, 1) < 2 * fits);
    }

    void aStopEndsAnEvaluation() {
        const auto problem = someProblem(3);
        const auto evaluator =
            engine::runtimeEvaluator(problem, std::make_shared<engine::EmulatedRuntime>(perfect()));
        std::stop_source stop;
        evaluator->stopOn(stop.get_token());
        const sim::Assignment assignment = tests::randomAssignment(*problem, 3);
        QVERIFY(evaluator->evaluate(0, assignment, 1) > 0);
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(evaluator->evaluate(0, assignment, 1), learn::EvaluationStopped);
    }

    // From another thread, at whatever moment it comes: also after the end, and never into the
    // next run.
    void cancelAtRandomMoments() {
        const auto problem = someProblem(5);
        engine::EmulatedRuntime runtime(engine::findTestbed("p100x4-testbed"));
        engine::Executor executor(problem, runtime);
        executor.prepare(tests::randomAssignment(*problem, 5));
        std::mt19937 random(1);
        for (int n = 0; n < 100; ++n) {
            const bool awaited = n % 2 == 0; // the run waits for it: then it must come in time
            std::stop_source stop;
            std::atomic<int> ends = 0;
            std::atomic<bool> asked = false;
            const int moment = 1 + static_cast<int>(random() % 50);
            std::thread watcher([&] {
                while (ends < moment) {
                    std::this_thread::yield();
                }
                stop.request_stop();
                asked = true;
            });
            engine::ExecutionOptions options;
            options.stop = stop.get_token();
            options.interval = [&](const sim::Interval&) {
                if (++ends == moment) {
                    while (awaited && !asked) {
                        std::this_thread::yield();
                    }
                }
            };
            const engine::Execution run = executor.run(options);
            ends = 1000;
            watcher.join();
            QVERIFY2(run.outcome != engine::Outcome::Failed, run.message.c_str());
            QVERIFY(run.outcome == engine::Outcome::Cancelled || !awaited);
            QCOMPARE(executor.run().outcome, engine::Outcome::Done);
        }
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

    void everyNamedTestbedIsAClusterToo() {
        for (const std::string machine : {"p100x4", "v100x8"}) {
            const auto cluster = io::openCluster(machine + "-testbed");
            QCOMPARE(cluster->name(), machine + "-testbed");
            QVERIFY(cluster->devices() == io::openCluster(machine)->devices());
            QVERIFY(cluster->link(0, 1) == io::openCluster(machine)->link(0, 1));
            QCOMPARE(engine::testbedOf(*cluster).name, machine + "-testbed");
            QCOMPARE(engine::testbedOf(*io::openCluster(machine)).name, machine + "-testbed");
        }
    }
};

QTEST_GUILESS_MAIN(TestEmulatedRuntime)
#include "TestEmulatedRuntime.moc"
