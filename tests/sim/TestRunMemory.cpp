#include <QTest>

#include "core/sim/MoveScan.h"
#include "core/sim/Noise.h"
#include "core/sim/Simulator.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::sim;
using namespace doppler::tests;

namespace {

std::shared_ptr<const Problem> problemOf(std::uint64_t seed) {
    RandomProblemSpec spec;
    spec.shape = kGraphShapes[seed % std::size(kGraphShapes)];
    spec.ops = seed % 10 == 0 ? 1 + static_cast<int>(seed / 10) : 80;
    spec.devices = 4;
    spec.slots = seed % 9 == 0 ? 2 : 1;
    spec.zeroCosts = seed % 2 == 0 ? 0.3 : 0;
    spec.unlikeDevices = seed % 3 == 0;
    spec.edgeTransferCosts = seed % 5 == 0;
    spec.options.contention = static_cast<LinkContention>(seed % 4);
    if (seed % 3 == 1) {
        spec.options = SimOptions::published();
    } else if (seed % 7 == 0) { // nothing is remembered then
        spec.options.choice = ReadyChoice::CriticalPath;
        spec.options.durationVariation = 0.2;
    }
    return randomProblem(spec, seed);
}

} // namespace

class TestRunMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changesAreSimulatedAsIfFromTheStart() {
        // 12,000 changes, mostly of one op; some are kept, and remembered at times.
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const auto problem = problemOf(seed);
            Simulator plain(problem);
            Simulator remembering(problem);
            Assignment current = randomAssignment(*problem, seed);
            QCOMPARE(remembering.remember(current), plain.makespan(current));
            std::uint64_t draw = seed;
            for (int change = 0; change < 200; ++change) {
                Assignment changed = current;
                const std::uint64_t ops = change % 8 == 0 ? 5 : 1;
                for (std::uint64_t i = 0; i < ops; ++i) {
                    changed[splitMix(draw) % changed.size()] =
                        static_cast<DeviceId>(splitMix(draw) % 4);
                }
                const Time expected = plain.makespan(changed);
                QCOMPARE(remembering.makespan(changed), expected);
                QCOMPARE(remembering.makespanWithin(changed, expected), expected);
                const Time above = remembering.makespanWithin(changed, expected - 1);
                QVERIFY(above > expected - 1 && above <= expected);
                if (change % 5 == 0) {
                    current = changed;
                    if (change % 2 == 0) {
                        QCOMPARE(remembering.remember(current), expected);
                    }
                }
            }
            QCOMPARE(remembering.run(current).makespan, plain.makespan(current));
        }
    }

    void allMovesAreThoseOfWholeRuns() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const auto problem = problemOf(seed);
            Simulator plain(problem);
            Simulator remembering(problem);
            Assignment assignment = randomAssignment(*problem, seed);
            const auto scan = MoveScan::run(remembering, assignment);
            for (OpId op = 0; op < problem->opCount(); ++op) {
                DeviceId& device = assignment[static_cast<std::size_t>(op)];
                const DeviceId home = device;
                for (device = 0; device < 4; ++device) {
                    QCOMPARE(scan->makespan(op, device), plain.makespan(assignment));
                }
                device = home;
            }
        }
    }

    void anotherSeedIsAnotherRun() {
        RandomProblemSpec spec;
        spec.options.durationVariation = 0.3;
        const auto problem = randomProblem(spec, 3);
        const Assignment assignment = randomAssignment(*problem, 1);
        Simulator simulator(problem);
        const Time first = simulator.remember(assignment);
        simulator.setSeed(99);
        QVERIFY(simulator.makespan(assignment) != first);
    }
};

QTEST_GUILESS_MAIN(TestRunMemory)
#include "TestRunMemory.moc"
