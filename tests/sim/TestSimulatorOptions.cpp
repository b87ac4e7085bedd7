#include <QTest>

#include "core/sim/MemoryUse.h"
#include "core/sim/PathLevels.h"
#include "core/sim/Simulator.h"
#include "core/sim/TimelineCheck.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::sim;
using namespace doppler::tests;

namespace {

constexpr LinkContention kContentions[] = {LinkContention::None, LinkContention::PerPair,
                                           LinkContention::PerPort, LinkContention::SharedBus};
constexpr TransferSharing kSharings[] = {TransferSharing::PerEdge, TransferSharing::PerDestination};
constexpr ReadyChoice kChoices[] = {ReadyChoice::FirstReady, ReadyChoice::CriticalPath,
                                    ReadyChoice::LastReady, ReadyChoice::Random};
constexpr MemoryPolicy kMemories[] = {MemoryPolicy::Report, MemoryPolicy::Hold};
constexpr ExecutionMode kModes[] = {ExecutionMode::WorkConserving, ExecutionMode::BulkSynchronous};

std::vector<SimOptions> allOptions() {
    std::vector<SimOptions> all;
    for (const LinkContention contention : kContentions) {
        for (const TransferSharing sharing : kSharings) {
            for (const ReadyChoice choice : kChoices) {
                for (const double variation : {0.0, 0.3}) {
                    for (const MemoryPolicy memory : kMemories) {
                        for (const int cores : {0, 1, 3}) {
                            for (const ExecutionMode mode : kModes) {
                                all.push_back({mode, contention, sharing, choice, variation, memory,
                                               cores, 7});
                            }
                        }
                    }
                }
            }
        }
    }
    return all;
}

/// A spec that visits, over the seeds, every kind of problem.
RandomProblemSpec specFor(GraphShape shape, std::uint64_t seed) {
    RandomProblemSpec spec;
    spec.shape = shape;
    spec.ops = static_cast<int>(1 + seed * 7 % 40);
    spec.devices = static_cast<int>(1 + seed % 4);
    spec.slots = static_cast<int>(1 + seed / 4 % 2);
    spec.largestCost = seed % 3 == 0 ? 3 : 100;
    spec.communication = seed % 2 == 0 ? 0.5 : 2;
    spec.zeroCosts = seed % 5 == 0 ? 0.3 : 0;
    spec.edgeTransferCosts = seed % 3 == 1;
    spec.unlikeDevices = seed % 4 == 1;
    spec.inputs = seed % 2 == 0 ? 3 : 0;
    spec.capacity = seed % 6 == 0 ? 0 : 0.7;
    return spec;
}

std::string describe(const SimOptions& options, std::uint64_t seed) {
    const auto number = [](auto value) { return std::to_string(static_cast<int>(value)); };
    return "seed " + std::to_string(seed) + " mode " + number(options.mode) + " contention " +
           number(options.contention) + " sharing " + number(options.sharing) + " choice " +
           number(options.choice) + " variation " + std::to_string(options.durationVariation) +
           " memory " + number(options.memory) + " cores " + number(options.cores);
}

} // namespace

class TestSimulatorOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOptionKeepsTheRules_data() {
        QTest::addColumn<int>("shape");
        for (const GraphShape shape : kGraphShapes) {
            QTest::newRow(name(shape)) << static_cast<int>(shape);
        }
    }

    void everyOptionKeepsTheRules() {
        QFETCH(int, shape);
        std::uint64_t seed = 0;
        for (const SimOptions& options : allOptions()) {
            ++seed;
            RandomProblemSpec spec = specFor(static_cast<GraphShape>(shape), seed);
            spec.options = options;
            const auto problem = randomProblem(spec, seed);
            const Assignment assignment = randomAssignment(*problem, seed);
            Simulator simulator(problem);
            const Timeline timeline = simulator.run(assignment);
            const auto violation = findViolation(*problem, assignment, timeline);
            const std::string where = describe(options, seed);
            QVERIFY2(!violation, (where + ": " + violation.value_or("")).c_str());
            QVERIFY2(simulator.makespan(assignment) == timeline.makespan, where.c_str());
            QVERIFY2(simulator.makespan(assignment) == timeline.makespan, where.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestSimulatorOptions)
#include "TestSimulatorOptions.moc"
