#include <QTest>

#include <set>

#include "core/engine/Executor.h"
#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/sim/MemoryUse.h"
#include "core/sim/TimelineCheck.h"
#include "tests/support/FakeRuntime.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using engine::Execution;
using engine::ExecutionOptions;
using engine::Executor;
using engine::Outcome;
using tests::FakeBehaviour;
using tests::FakeRuntime;
using tests::RandomProblemSpec;

namespace {

constexpr Time kForever = 1'000'000'000;

/// The n-th of many unlike problems.
RandomProblemSpec specOf(std::uint64_t n) {
    RandomProblemSpec spec;
    spec.shape = tests::kGraphShapes[n % std::size(tests::kGraphShapes)];
    spec.ops = 1 + static_cast<int>(n * 7 % 40);
    spec.devices = 1 + static_cast<int>(n / 8 % 5);
    spec.slots = n % 11 == 0 ? 2 : 1;
    spec.inputs = static_cast<int>(n % 4);
    spec.edgeTransferCosts = n % 5 == 0;
    spec.options.choice = static_cast<sim::ReadyChoice>(n % 4);
    spec.options.seed = n;
    return spec;
}

sim::LinkContention contentionOf(std::uint64_t n) {
    return static_cast<sim::LinkContention>(n / 3 % 4);
}

/// A chain of six ops, each with an output of that many bytes, on one device of that capacity.
std::shared_ptr<const sim::Problem> chainWithCapacity(std::int64_t bytes, std::int64_t capacity) {
    graph::GraphBuilder builder("chain");
    for (OpId op = 0; op < 6; ++op) {
        builder.addOp({.name = "step " + std::to_string(op), .outputBytes = bytes});
        if (op > 0) {
            builder.addEdge(op - 1, op);
        }
    }
    std::vector<cluster::Device> devices = cluster::uniformCluster(1).devices();
    devices.front().capacityBytes = capacity;
    return sim::makeProblem(
        builder.build(),
        std::make_shared<const cluster::Cluster>("one", devices, std::vector<cluster::Link>(1)),
        cost::CostModel::Physical, {});
}

} // namespace

/// The executor over a runtime that ends its tasks in random orders, in virtual time.
class TestExecutor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Nothing but the order of events decides: each must lead to a valid timeline.
    void anyOrderOfCompletionsIsAValidRun() {
        constexpr std::uint64_t kSchedules = 10'000;
        std::set<Time> makespans;
        for (std::uint64_t n = 0; n < kSchedules; ++n) {
            const auto problem = tests::randomProblem(specOf(n), n / 4);
            const sim::Assignment assignment = tests::randomAssignment(*problem, n);
            FakeRuntime runtime({.seed = n, .contention = contentionOf(n), .late = n % 5 == 4});
            Executor executor(problem, runtime);
            executor.prepare(assignment);
            const Execution run = executor.run();
            const QString which = QStringLiteral("schedule %1: ").arg(n);
            QVERIFY2(run.outcome == Outcome::Done,
                     qPrintable(which + QString::fromStdString(run.message)));
            QVERIFY2(runtime.mistake().empty(),
                     qPrintable(which + QString::fromStdString(runtime.mistake())));
            QCOMPARE(runtime.buffersHeld(), std::size_t(0));
            const auto violation = sim::findViolation(*executor.problem(), assignment, run.timeline,
                                                      false, n % 5 == 4 ? kForever : 0);
            QVERIFY2(!violation,
                     qPrintable(which + QString::fromStdString(violation.value_or(""))));
            if (n % 5 != 4) {
                QCOMPARE(run.timeline.peakMemory,
                         sim::peakMemory(*executor.problem(), assignment, run.timeline));
            }
            makespans.insert(run.timeline.makespan);
        }
        QVERIFY(makespans.size() > kSchedules / 4);
    }

    // Small memories: a run gets through within them, or says what is missing.
    void memoryIsNeverExceeded() {
        int done = 0;
        int blocked = 0;
        for (std::uint64_t n = 0; n < 2'000; ++n) {
            RandomProblemSpec spec = specOf(n);
            spec.capacity = 0.3 + static_cast<double>(n % 10) * 0.15;
            const auto problem = tests::randomProblem(spec, n);
            const sim::Assignment assignment = tests::randomAssignment(*problem, n);
            FakeRuntime runtime({.seed = n, .contention = contentionOf(n)});
            Executor executor(problem, runtime);
            executor.prepare(assignment);
            const Execution run = executor.run();
            QVERIFY2(runtime.mistake().empty(), runtime.mistake().c_str());
            QCOMPARE(runtime.buffersHeld(), std::size_t(0));
            QCOMPARE(runtime.tasksLeft(), std::size_t(0));
            if (run.outcome == Outcome::Done) {
                ++done;
                const auto violation =
                    sim::findViolation(*executor.problem(), assignment, run.timeline, false);
                QVERIFY2(!violation, violation.value_or("").c_str());
                continue;
            }
            ++blocked;
            QCOMPARE(run.outcome, Outcome::Failed);
            QVERIFY2(run.message.find("lacks") != std::string::npos, run.message.c_str());
        }
        QVERIFY(done > 200);
        QVERIFY(blocked > 200);
    }

    void repeatedRunsAreIndependent() {
        const auto problem = tests::randomProblem({.ops = 40, .devices = 3}, 5);
        FakeRuntime runtime({.seed = 1});
        Executor executor(problem, runtime);
        for (std::uint64_t n = 0; n < 20; ++n) {
            const sim::Assignment assignment = tests::randomAssignment(*problem, n / 3);
            if (n % 3 == 0) {
                executor.prepare(assignment);
            }
            const Execution run = executor.run();
            QCOMPARE(run.outcome, Outcome::Done);
            const auto violation =
                sim::findViolation(*executor.problem(), assignment, run.timeline, false);
            QVERIFY2(!violation, violation.value_or("").c_str());
            QVERIFY2(runtime.mistake().empty(), runtime.mistake().c_str());
        }
    }

    void intervalsAreToldAsTheyEnd() {
        const auto problem = tests::randomProblem({.ops = 30, .devices = 3}, 2);
        FakeRuntime runtime({.seed = 3});
        Executor executor(problem, runtime);
        executor.prepare(tests::randomAssignment(*problem, 2));
        std::vector<sim::Interval> told;
        std::set<OpId> results;
        ExecutionOptions options;
        options.interval = [&](const sim::Interval& interval) { told.push_back(interval); };
        options.result = [&](OpId op, const std::vector<std::byte>&) { results.insert(op); };
        const Execution run = executor.run(options);
        QCOMPARE(told.size(), run.timeline.intervals.size());
        for (std::size_t i = 1; i < told.size(); ++i) {
            QVERIFY(told[i - 1].end <= told[i].end);
        }
        for (const sim::Interval& interval : told) {
            const bool found =
                std::any_of(run.timeline.intervals.begin(), run.timeline.intervals.end(),
                            [&](const sim::Interval& other) {
                                return other.op == interval.op && other.device == interval.device &&
                                       other.to == interval.to && other.slot == interval.slot &&
                                       other.start == interval.start && other.end == interval.end;
                            });
            QVERIFY(found);
        }
        for (OpId op = 0; op < problem->opCount(); ++op) {
            QCOMPARE(results.count(op) == 1, problem->graph->outDegree(op) == 0);
        }
    }

    void cancelAtAnyMoment() {
        for (std::uint64_t n = 0; n < 100; ++n) {
            const auto problem = tests::randomProblem({.ops = 40, .devices = 3, .inputs = 3}, n);
            std::stop_source stop;
            const int moment = static_cast<int>(n * 37 % 60);
            FakeRuntime runtime({.seed = n, .beforeDelivery = [&](int delivery) {
                                     if (delivery == moment) {
                                         stop.request_stop();
                                     }
                                 }});
            Executor executor(problem, runtime);
            executor.prepare(tests::randomAssignment(*problem, n));
            ExecutionOptions options;
            options.stop = stop.get_token();
            const Execution run = executor.run(options);
            if (runtime.deliveries() > moment) {
                QCOMPARE(run.outcome, Outcome::Cancelled);
                QCOMPARE(run.message, std::string("cancelled"));
            }
            QVERIFY2(runtime.mistake().empty(), runtime.mistake().c_str());
            QCOMPARE(runtime.buffersHeld(), std::size_t(0));
            QCOMPARE(runtime.tasksLeft(), std::size_t(0));
            // And it runs again afterwards.
            QCOMPARE(executor.run().outcome, Outcome::Done);
        }
    }

    void cancelledBeforeItStarts() {
        const auto problem = tests::randomProblem({.ops = 10}, 1);
        FakeRuntime runtime({.seed = 1});
        Executor executor(problem, runtime);
        executor.prepare(tests::randomAssignment(*problem, 1));
        std::stop_source stop;
        stop.request_stop();
        ExecutionOptions options;
        options.stop = stop.get_token();
        QCOMPARE(executor.run(options).outcome, Outcome::Cancelled);
        QCOMPARE(runtime.buffersHeld(), std::size_t(0));
    }

    void faultsEndTheRunWithTheirMessage_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("expected");
        QTest::newRow("kernel") << 0 << "kernel threw";
        QTest::newRow("transfer") << 1 << "copy failed";
        QTest::newRow("launch") << 2 << "launch refused";
        QTest::newRow("allocation") << 3 << "no memory";
        QTest::newRow("listener") << 4 << "listener failed";
    }

    void faultsEndTheRunWithTheirMessage() {
        QFETCH(int, what);
        QFETCH(QString, expected);
        for (int moment = 0; moment < 8; ++moment) {
            const auto problem = tests::randomProblem({.ops = 40, .devices = 3}, 7);
            FakeBehaviour behaviour{.seed = static_cast<std::uint64_t>(moment)};
            (what == 0   ? behaviour.failingOp
             : what == 1 ? behaviour.failingCopy
             : what == 2 ? behaviour.throwingLaunch
                         : behaviour.throwingAllocation) = what < 4 ? moment : -1;
            FakeRuntime runtime(behaviour);
            Executor executor(problem, runtime);
            executor.prepare(tests::randomAssignment(*problem, 3));
            ExecutionOptions options;
            int intervals = 0;
            options.interval = [&](const sim::Interval&) {
                if (what == 4 && intervals++ == moment) {
                    throw std::runtime_error("listener failed");
                }
            };
            const Execution run = executor.run(options);
            QCOMPARE(run.outcome, Outcome::Failed);
            QVERIFY2(QString::fromStdString(run.message).contains(expected), run.message.c_str());
            if (what == 0) {
                QVERIFY2(run.message.find("op \"") == 0, run.message.c_str());
                QVERIFY2(run.message.find("device \"") != std::string::npos, run.message.c_str());
            }
            if (what == 1) {
                QVERIFY2(run.message.find("the transfer of \"") == 0, run.message.c_str());
            }
            QVERIFY2(runtime.mistake().empty(), runtime.mistake().c_str());
            QCOMPARE(runtime.buffersHeld(), std::size_t(0));
            QCOMPARE(runtime.tasksLeft(), std::size_t(0));
        }
    }

    void memoryMessagesNameDeviceAndBytes() {
        FakeRuntime runtime({.seed = 1});
        const auto enough = chainWithCapacity(100, 200);
        Executor fine(enough, runtime);
        fine.prepare(sim::Assignment(6, 0));
        QCOMPARE(fine.run().outcome, Outcome::Done);
        // One op fits, two do not.
        const auto little = chainWithCapacity(100, 150);
        Executor blocked(little, runtime);
        blocked.prepare(sim::Assignment(6, 0));
        QVERIFY(blocked.run().lacksMemory);
        QCOMPARE(blocked.run().message,
                 std::string("device \"" + little->cluster->device(0).name +
                             "\" lacks 50 bytes: the output of \"step 1\" needs 100, and only 50 "
                             "of 150 are free"));
        // Not even one.
        const auto tiny = chainWithCapacity(100, 60);
        Executor hopeless(tiny, runtime);
        hopeless.prepare(sim::Assignment(6, 0));
        QCOMPARE(hopeless.run().message,
                 std::string("device \"" + tiny->cluster->device(0).name +
                             "\" lacks 40 bytes: the output of \"step 0\" needs 100, and only 60 "
                             "of 60 are free"));
        QVERIFY2(runtime.mistake().empty(), runtime.mistake().c_str());
        QCOMPARE(runtime.buffersHeld(), std::size_t(0));
    }

    // Whatever the cluster says of its memory.
    void aFullDeviceEndsOneRun() {
        const auto problem = tests::randomProblem({.ops = 40, .devices = 3}, 7);
        const sim::Assignment assignment = tests::randomAssignment(*problem, 3);
        FakeRuntime runtime({.seed = 2, .fullAllocation = 5, .fullPreparation = 1});
        Executor executor(problem, runtime);
        executor.prepare(assignment);
        for (int repeat = 0; repeat < 2; ++repeat) {
            const Execution run = executor.run();
            QCOMPARE(run.outcome, Outcome::Failed);
            QVERIFY(run.lacksMemory);
            QVERIFY2(run.message.find("\": no room for a value of ") != std::string::npos &&
                         run.message.starts_with("device \""),
                     run.message.c_str());
        }
        executor.prepare(assignment); // has no room for its inputs
        const Execution inputs = executor.run();
        QCOMPARE(inputs.outcome, Outcome::Failed);
        QVERIFY(inputs.lacksMemory);
        QCOMPARE(inputs.message, "device \"" + problem->cluster->device(0).name +
                                     "\": no room for an input of 4711 bytes");
        FakeRuntime roomy({.seed = 2, .fullPreparation = 0});
        Executor again(problem, roomy);
        again.prepare(assignment);
        QVERIFY(again.run().lacksMemory);
        again.prepare(assignment);
        QCOMPARE(again.run().outcome, Outcome::Done);
        QVERIFY2(runtime.mistake().empty(), runtime.mistake().c_str());
        QCOMPARE(runtime.buffersHeld(), std::size_t(0));
    }

    void wrongAssignmentsAreRefused() {
        const auto problem = tests::randomProblem({.ops = 10}, 1);
        FakeRuntime runtime({.seed = 1});
        Executor executor(problem, runtime);
        QVERIFY_EXCEPTION_THROWN(executor.prepare(sim::Assignment(3, 0)), InputError);
        QVERIFY_EXCEPTION_THROWN(executor.run(), std::logic_error);
    }
};

QTEST_GUILESS_MAIN(TestExecutor)
#include "TestExecutor.moc"
