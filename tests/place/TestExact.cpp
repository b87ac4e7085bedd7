#include <QTest>

#include <algorithm>

#include "core/place/Registry.h"
#include "core/sim/Bounds.h"
#include "core/sim/Simulator.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::place;
using namespace doppler::tests;

namespace {

PlaceResult exact(const std::shared_ptr<const sim::Problem>& problem,
                  std::int64_t evaluations = 1'000'000) {
    PlaceRequest request;
    request.problem = problem;
    request.maxEvaluations = evaluations;
    return makePlacer("exact")->place(request);
}

/// The least makespan over all assignments that keep the pins.
Time bestOfAll(const std::shared_ptr<const sim::Problem>& problem) {
    sim::Simulator simulator(problem);
    const auto ops = static_cast<std::size_t>(problem->opCount());
    sim::Assignment assignment(ops, 0);
    Time best = std::numeric_limits<Time>::max();
    for (;;) {
        bool pinsKept = true;
        for (std::size_t op = 0; op < ops; ++op) {
            const DeviceId pin = problem->pin(static_cast<OpId>(op));
            pinsKept = pinsKept && (pin == kNoDevice || pin == assignment[op]);
        }
        if (pinsKept) {
            best = std::min(best, simulator.makespan(assignment));
        }
        std::size_t op = 0;
        while (op < ops && ++assignment[op] == problem->deviceCount()) {
            assignment[op++] = 0;
        }
        if (op == ops) {
            return best;
        }
    }
}

/// All shapes, options, likenesses of devices.
RandomProblemSpec mixed(std::uint64_t seed, int ops) {
    RandomProblemSpec spec;
    spec.shape = kGraphShapes[seed % std::size(kGraphShapes)];
    spec.ops = ops;
    spec.devices = 2 + static_cast<int>(seed / 2 % 2);
    spec.slots = seed % 7 == 0 ? 2 : 1;
    spec.communication = seed % 3 == 0 ? 4 : 1;
    spec.zeroCosts = seed % 5 == 0 ? 0.2 : 0;
    spec.edgeTransferCosts = seed % 4 == 0;
    spec.unlikeDevices = seed % 2 == 0;
    spec.pinned = seed % 6 == 0 ? 0.3 : 0;
    spec.options.contention = static_cast<sim::LinkContention>(seed / 3 % 4);
    spec.options.sharing = static_cast<sim::TransferSharing>(seed / 5 % 2);
    spec.options.choice = static_cast<sim::ReadyChoice>(seed / 7 % 4);
    spec.options.cores = seed % 11 == 0 ? 2 : 0;
    if (seed % 8 == 0) {
        spec.options = sim::SimOptions::published();
    } else if (seed % 13 == 0) {
        spec.options.mode = sim::ExecutionMode::BulkSynchronous;
    }
    return spec;
}

} // namespace

class TestExact : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsTheBestOfAllAssignments() {
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            const auto problem = randomProblem(mixed(seed, 5 + static_cast<int>(seed % 3)), seed);
            const PlaceResult result = exact(problem);
            const QByteArray where = "seed " + QByteArray::number(qulonglong(seed));
            QVERIFY2(result.makespan == bestOfAll(problem), where);
            QVERIFY2(result.provedBound == result.value, where);
        }
    }

    void noBoundIsAboveTheOptimum() {
        int tight = 0;
        double ratios = 0;
        constexpr int kProblems = 2000;
        for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
            const auto problem = randomProblem(mixed(seed, 4 + static_cast<int>(seed % 5)), seed);
            const PlaceResult result = exact(problem);
            QVERIFY(result.provedBound == result.value);
            const std::vector<sim::Bound> bounds = sim::lowerBounds(*problem);
            for (const sim::Bound& bound : bounds) {
                QVERIFY2(bound.value <= result.value,
                         qPrintable(QStringLiteral("%1, seed %2: %3 above %4")
                                        .arg(QString::fromStdString(bound.name))
                                        .arg(seed)
                                        .arg(bound.value)
                                        .arg(result.value)));
            }
            tight += bounds.front().value == result.value ? 1 : 0;
            ratios += result.value == 0 ? 1
                                        : static_cast<double>(bounds.front().value) /
                                              static_cast<double>(result.value);
        }
        qInfo("tight on %d of %d, mean bound / optimum %.3f", tight, kProblems, ratios / kProblems);
        QVERIFY(tight > kProblems / 3);
        QVERIFY(ratios / kProblems > 0.85);
    }

    void provesTwelveOpsOnThreeDevices() {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            RandomProblemSpec spec;
            spec.shape = kGraphShapes[seed % std::size(kGraphShapes)];
            spec.ops = 12;
            const auto problem = randomProblem(spec, seed);
            const PlaceResult result = exact(problem);
            QVERIFY(result.provedBound == result.value);
            QVERIFY(result.notes.back().find("optimal") == 0);
        }
    }

    void saysWhatItProvedWhenItIsCutShort() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            RandomProblemSpec spec;
            spec.ops = 30;
            spec.communication = 0.5;
            const auto problem = randomProblem(spec, seed);
            const PlaceResult result = exact(problem, 500);
            QVERIFY(result.provedBound && *result.provedBound <= result.value);
            QVERIFY(*result.provedBound >= sim::lowerBound(*problem).value);
        }
    }

    void saysThatNothingFits() {
        RandomProblemSpec spec;
        spec.ops = 6;
        sim::Problem tight = *randomProblem(spec, 1);
        std::vector<cluster::Device> devices = tight.cluster->devices();
        std::vector<cluster::Link> links;
        for (DeviceId from = 0; from < tight.deviceCount(); ++from) {
            for (DeviceId to = 0; to < tight.deviceCount(); ++to) {
                links.push_back(tight.cluster->link(from, to));
            }
        }
        for (cluster::Device& device : devices) {
            device.capacityBytes = 1;
        }
        tight.cluster = std::make_shared<cluster::Cluster>("tight", std::move(devices), links);
        const auto problem = std::make_shared<const sim::Problem>(tight);
        const auto says = [](const PlaceResult& result, const char* text) {
            return std::any_of(
                result.notes.begin(), result.notes.end(),
                [&](const std::string& note) { return note.find(text) != std::string::npos; });
        };
        const PlaceResult proved = exact(problem);
        QVERIFY(proved.provedBound == proved.value);
        QVERIFY(says(proved, "no placement fits the memory"));
        QVERIFY(!says(proved, "optimal"));
        QVERIFY(says(exact(problem, 20), "no placement that fits the memory was found"));
    }

    void largeGraphsAreAnnealed() {
        RandomProblemSpec spec;
        spec.ops = 100;
        const auto problem = randomProblem(spec, 1);
        const PlaceResult result = exact(problem, 2000);
        QCOMPARE(*result.provedBound, sim::lowerBound(*problem).value);
        QVERIFY(result.notes.front().find("more than 64 ops") == 0);
    }
};

QTEST_GUILESS_MAIN(TestExact)
#include "TestExact.moc"
