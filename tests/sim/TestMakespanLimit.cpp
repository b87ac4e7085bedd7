#include <QTest>

#include "core/sim/Noise.h"
#include "core/sim/Simulator.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::sim;
using namespace doppler::tests;

namespace {

SimOptions options(std::uint64_t seed) {
    SimOptions options;
    options.contention = static_cast<LinkContention>(seed % 4);
    options.sharing = static_cast<TransferSharing>(seed / 2 % 2);
    options.choice = static_cast<ReadyChoice>(seed / 3 % 4);
    options.mode = static_cast<ExecutionMode>(seed % 5 == 0);
    options.memory = static_cast<MemoryPolicy>(seed % 7 == 0);
    options.cores = seed % 6 == 0 ? 2 : 0;
    options.durationVariation = seed % 11 == 0 ? 0.3 : 0;
    return seed % 4 == 0 ? SimOptions::published() : options;
}

} // namespace

class TestMakespanLimit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exactUpToTheLimitAndAboveItElse() {
        int givenUp = 0;
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            RandomProblemSpec spec;
            spec.shape = kGraphShapes[seed % std::size(kGraphShapes)];
            spec.ops = 30;
            spec.slots = seed % 9 == 0 ? 2 : 1;
            spec.zeroCosts = seed % 2 == 0 ? 0.3 : 0;
            spec.unlikeDevices = seed % 3 == 0;
            spec.edgeTransferCosts = seed % 5 == 0;
            spec.capacity = 0.7;
            spec.options = options(seed);
            const auto problem = randomProblem(spec, seed);
            Simulator simulator(problem);
            for (std::uint64_t draw = 0; draw < 5; ++draw) {
                const Assignment assignment = randomAssignment(*problem, draw);
                const Time makespan = simulator.makespan(assignment);
                for (const Time limit :
                     {Time{0}, makespan / 2, makespan - 1, makespan, makespan + 1, makespan * 2}) {
                    const Time within = simulator.makespanWithin(assignment, limit);
                    if (limit >= makespan) {
                        QCOMPARE(within, makespan);
                    } else {
                        QVERIFY(within > limit && within <= makespan);
                        givenUp += within < makespan ? 1 : 0;
                    }
                }
                // A run that was given up leaves nothing behind.
                QCOMPARE(simulator.makespan(assignment), makespan);
            }
        }
        QVERIFY(givenUp > 1000);
    }

    void aDescentTakesTheSameSteps() {
        // 10,000 random changes, each kept if it is no worse: with and without giving up early.
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            RandomProblemSpec spec;
            spec.shape = kGraphShapes[seed % std::size(kGraphShapes)];
            spec.ops = 40;
            spec.devices = 4;
            spec.unlikeDevices = seed % 3 == 0;
            spec.options = options(seed);
            const auto problem = randomProblem(spec, seed);
            Simulator simulator(problem);
            Assignment current = randomAssignment(*problem, seed);
            Time makespan = simulator.makespan(current);
            std::uint64_t draw = seed;
            for (int change = 0; change < 200; ++change) {
                const auto op = static_cast<std::size_t>(splitMix(draw) % current.size());
                const DeviceId before = current[op];
                current[op] = static_cast<DeviceId>(splitMix(draw) % 4);
                const Time within = simulator.makespanWithin(current, makespan);
                const Time whole = simulator.makespan(current);
                QCOMPARE(within <= makespan, whole <= makespan);
                if (whole <= makespan) {
                    QCOMPARE(within, whole);
                    makespan = whole;
                } else {
                    current[op] = before;
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestMakespanLimit)
#include "TestMakespanLimit.moc"
