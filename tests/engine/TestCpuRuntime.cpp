#include <QTest>

#include <atomic>
#include <random>
#include <stdexcept>
#include <thread>

#include <pthread.h>

#include "core/engine/Executor.h"
#include "core/engine/cpu/CpuRuntime.h"
#include "core/sim/TimelineCheck.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using engine::CpuRuntime;
using engine::Execution;
using engine::ExecutionOptions;
using engine::Executor;
using engine::Outcome;

namespace {

constexpr Time kForever = 1'000'000'000'000;

/// Writes each op's number over its output, and looks for its operands' numbers in theirs.
class StampingKernels : public engine::Kernels {
public:
    explicit StampingKernels(int failingOp = -1) : failingOp_(failingOp) {}
    std::atomic<int> wrong = 0;
    std::atomic<int> ran = 0;

    void prepare(const sim::Problem& problem, const sim::Assignment&, int) override {
        graph_ = problem.graph;
    }
    void run(const engine::OpTask& task, int) override {
        if (task.op == failingOp_) {
            throw std::runtime_error("stamp broken");
        }
        std::size_t k = 0;
        if (graph_->uses(task.op).empty()) {
            for (const EdgeId edge : graph_->inEdges(task.op)) {
                look(task.operands[k++], graph_->source(edge));
            }
        }
        for (const graph::Use& use : graph_->uses(task.op)) {
            if (!use.fromInput) {
                look(task.operands[k], use.source);
            }
            ++k;
        }
        auto* numbers = static_cast<std::int32_t*>(task.output.data);
        std::fill(numbers, numbers + task.output.bytes / 4, task.op);
        ++ran;
    }

private:
    void look(const engine::Buffer& buffer, OpId op) {
        const auto* numbers = static_cast<const std::int32_t*>(buffer.data);
        for (std::int64_t i = 0; i < buffer.bytes / 4; ++i) {
            wrong += numbers[i] == op ? 0 : 1;
        }
    }

    int failingOp_;
    std::shared_ptr<const graph::Graph> graph_;
};

} // namespace

/// The executor over threads of its own.
class TestCpuRuntime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesReachTheirConsumers() {
        for (std::uint64_t n = 0; n < 60; ++n) {
            tests::RandomProblemSpec spec{
                .shape = tests::kGraphShapes[n % std::size(tests::kGraphShapes)],
                .ops = 40,
                .devices = 1 + int(n % 4),
                .slots = n % 7 == 0 ? 2 : 1,
                .inputs = 3};
            spec.options.choice = static_cast<sim::ReadyChoice>(n % 4);
            const auto problem = tests::randomProblem(spec, n);
            const sim::Assignment assignment = tests::randomAssignment(*problem, n);
            const auto kernels = std::make_shared<StampingKernels>();
            CpuRuntime runtime(*problem->cluster, kernels);
            Executor executor(problem, runtime);
            executor.prepare(assignment);
            for (int repeat = 0; repeat < 3; ++repeat) {
                const Execution run = executor.run();
                QVERIFY2(run.outcome == Outcome::Done, run.message.c_str());
                const auto violation = sim::findViolation(*executor.problem(), assignment,
                                                          run.timeline, false, kForever);
                QVERIFY2(!violation, violation.value_or("").c_str());
            }
            QCOMPARE(kernels->wrong.load(), 0);
            QCOMPARE(kernels->ran.load(), 3 * problem->opCount());
            QCOMPARE(runtime.buffersHeld(), std::int64_t(0));
        }
    }

    // As where the system has no threads left.
    void aThreadThatIsMissingIsNamed() {
        pthread_attr_t before;
        QCOMPARE(pthread_getattr_default_np(&before), 0);
        pthread_attr_t endless = before;
        pthread_attr_setstacksize(&endless, std::size_t{1} << 60);
        QCOMPARE(pthread_setattr_default_np(&endless), 0);
        std::string message;
        try {
            CpuRuntime(cluster::cpuCluster(2), std::make_shared<StampingKernels>());
        } catch (const std::exception& error) {
            message = error.what();
        }
        QCOMPARE(pthread_setattr_default_np(&before), 0);
        QVERIFY2(message.starts_with("cannot start a thread for device \"CPU 0\": "),
                 message.c_str());
    }

    void smallMemoriesAreWaitedFor() {
        int done = 0;
        for (std::uint64_t n = 0; n < 100; ++n) {
            const auto problem = tests::randomProblem(
                {.ops = 30, .devices = 3, .capacity = 0.6 + 0.05 * double(n % 10)}, n);
            const sim::Assignment assignment = tests::randomAssignment(*problem, n);
            CpuRuntime runtime(*problem->cluster, std::make_shared<StampingKernels>());
            Executor executor(problem, runtime);
            executor.prepare(assignment);
            const Execution run = executor.run();
            QCOMPARE(runtime.buffersHeld(), std::int64_t(0));
            if (run.outcome == Outcome::Failed) {
                QVERIFY2(run.message.find("lacks") != std::string::npos, run.message.c_str());
                continue;
            }
            ++done;
            for (DeviceId device = 0; device < problem->deviceCount(); ++device) {
                QVERIFY(run.timeline.peakMemory[std::size_t(device)] <=
                        problem->cluster->device(device).capacityBytes);
            }
        }
        QVERIFY(done > 10);
    }

    void aKernelThatThrowsEndsTheRun() {
        const auto problem = tests::randomProblem({.ops = 60, .devices = 2}, 3);
        for (OpId failing = 0; failing < 60; failing += 7) {
            CpuRuntime runtime(*problem->cluster, std::make_shared<StampingKernels>(failing));
            Executor executor(problem, runtime);
            executor.prepare(tests::randomAssignment(*problem, 3));
            const Execution run = executor.run();
            QCOMPARE(run.outcome, Outcome::Failed);
            QVERIFY2(run.message.find("\"" + problem->graph->opName(failing) + "\"") !=
                             std::string::npos &&
                         run.message.find("stamp broken") != std::string::npos,
                     run.message.c_str());
            QCOMPARE(runtime.buffersHeld(), std::int64_t(0));
        }
    }

    // From another thread, at whatever moment it comes.
    void cancelAtRandomMoments() {
        const auto problem = tests::randomProblem({.ops = 300, .devices = 3}, 9);
        CpuRuntime runtime(*problem->cluster, std::make_shared<StampingKernels>());
        Executor executor(problem, runtime);
        executor.prepare(tests::randomAssignment(*problem, 9));
        std::mt19937 random(1);
        int cancelled = 0;
        for (int n = 0; n < 100; ++n) {
            const bool awaited = n % 2 == 0; // the run waits for it: then it comes in time
            std::stop_source stop;
            std::atomic<int> ends = 0;
            std::atomic<bool> asked = false;
            const int moment = int(random() % 300);
            std::thread watcher([&] {
                while (ends < moment) {
                    std::this_thread::yield();
                }
                stop.request_stop();
                asked = true;
            });
            ExecutionOptions options;
            options.stop = stop.get_token();
            options.interval = [&](const sim::Interval&) {
                if (++ends == moment) {
                    while (awaited && !asked) {
                        std::this_thread::yield();
                    }
                }
            };
            const Execution run = executor.run(options);
            ends = 1000;
            watcher.join();
            cancelled += run.outcome == Outcome::Cancelled ? 1 : 0;
            QVERIFY(run.outcome != Outcome::Failed);
            QCOMPARE(runtime.buffersHeld(), std::int64_t(0));
        }
        QVERIFY(cancelled > 0);
        QCOMPARE(executor.run().outcome, Outcome::Done);
    }

    void idleMemoryStaysBelowTheLimit() {
        engine::BufferPool pool;
        pool.give(pool.take(5000), 5000);
        pool.give(pool.take(3000), 3000);
        QCOMPARE(pool.idleBytes(), std::int64_t(8000));
        pool.limit(8500);
        QCOMPARE(pool.idleBytes(), std::int64_t(8000));
        void* again = pool.take(5000); // what is there
        QCOMPARE(pool.idleBytes(), std::int64_t(3000));
        void* other = pool.take(1000); // not beside the idle 3000
        QCOMPARE(pool.idleBytes(), std::int64_t(0));
        pool.give(other, 1000);
        pool.give(again, 5000);
        pool.limit(2000);
        QCOMPARE(pool.idleBytes(), std::int64_t(0));
    }

    void tooManyDevicesAreSaid() {
        const auto kernels = std::make_shared<engine::NoKernels>();
        CpuRuntime one(cluster::cpuCluster(1), kernels);
        QVERIFY(one.info().notes.empty());
        const int devices = int(std::thread::hardware_concurrency()) + 1;
        CpuRuntime many(cluster::cpuCluster(devices), kernels);
        QCOMPARE(many.info().notes.size(), std::size_t(1));
        QVERIFY(many.info().notes[0].find("oversubscribed: " + std::to_string(devices)) == 0);
    }
};

QTEST_GUILESS_MAIN(TestCpuRuntime)
#include "TestCpuRuntime.moc"
