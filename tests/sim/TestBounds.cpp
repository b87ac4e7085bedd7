#include <QTest>

#include <algorithm>
#include <filesystem>
#include <random>

#include "core/graph/GraphBuilder.h"
#include "core/io/Formats.h"
#include "core/sim/Bounds.h"
#include "core/sim/JacksonBound.h"
#include "core/sim/Simulator.h"
#include "tests/support/RandomProblem.h"
#include "tests/support/SharedData.h"

using namespace doppler;
using namespace doppler::sim;
using namespace doppler::tests;

namespace {

/// The least makespan over all assignments that keep the pins.
Time bestMakespan(const std::shared_ptr<const Problem>& problem) {
    Simulator simulator(problem);
    Assignment assignment(static_cast<std::size_t>(problem->opCount()), 0);
    for (OpId op = 0; op < problem->opCount(); ++op) {
        assignment[static_cast<std::size_t>(op)] = std::max(0, problem->pin(op));
    }
    Time best = simulator.makespan(assignment);
    for (;;) {
        OpId op = 0;
        for (; op < problem->opCount(); ++op) {
            if (problem->pin(op) != kNoDevice) {
                continue;
            }
            DeviceId& device = assignment[static_cast<std::size_t>(op)];
            if (++device < problem->deviceCount()) {
                break;
            }
            device = 0;
        }
        if (op == problem->opCount()) {
            return best;
        }
        best = std::min(best, simulator.makespan(assignment));
    }
}

Time value(const Problem& problem, const std::string& name) {
    for (const Bound& bound : lowerBounds(problem)) {
        if (bound.name == name) {
            return bound.value;
        }
    }
    return -1;
}

std::shared_ptr<const Problem> published(const std::shared_ptr<const graph::Graph>& graph,
                                         int devices, const SimOptions& options = {}) {
    return makeProblem(graph, std::make_shared<cluster::Cluster>(cluster::uniformCluster(devices)),
                       cost::CostModel::Published, options);
}

} // namespace

class TestBounds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void jacksonBoundIsTheBestSet() {
        std::mt19937 random(5);
        const auto below = [&](unsigned count) { return static_cast<Time>(random() % count); };
        for (int round = 0; round < 500; ++round) {
            std::vector<MachineJob<Time>> jobs(1 + random() % 7);
            for (MachineJob<Time>& job : jobs) {
                job = {below(20), below(10), below(20)};
            }
            Time best = 0;
            for (unsigned set = 1; set < (1U << jobs.size()); ++set) {
                Time head = 1000;
                Time work = 0;
                Time tail = 1000;
                for (std::size_t i = 0; i < jobs.size(); ++i) {
                    if ((set >> i) & 1U) {
                        head = std::min(head, jobs[i].head);
                        work += jobs[i].work;
                        tail = std::min(tail, jobs[i].tail);
                    }
                }
                best = std::max(best, head + work + tail);
            }
            std::sort(jobs.begin(), jobs.end(),
                      [](const auto& a, const auto& b) { return a.head < b.head; });
            QCOMPARE(jacksonBound<Time>(jobs), best);
        }
    }

    void neverAboveTheOptimum_data() {
        QTest::addColumn<bool>("unlike");
        QTest::addColumn<double>("pinned");
        QTest::addColumn<int>("slots");
        QTest::addColumn<bool>("synchronous");
        QTest::addColumn<double>("atLeast"); // of the optimum, on average
        QTest::newRow("like") << false << 0.0 << 1 << false << 0.95;
        QTest::newRow("unlike") << true << 0.0 << 1 << false << 0.8;
        QTest::newRow("like, pins") << false << 0.4 << 1 << false << 0.9;
        QTest::newRow("unlike, pins") << true << 0.4 << 1 << false << 0.85;
        QTest::newRow("two slots") << false << 0.2 << 2 << false << 0.8;
        QTest::newRow("bulk-synchronous") << false << 0.0 << 1 << true << 0.7;
    }

    void neverAboveTheOptimum() {
        QFETCH(bool, unlike);
        QFETCH(double, pinned);
        QFETCH(int, slots);
        QFETCH(bool, synchronous);
        QFETCH(double, atLeast);
        double ratios = 0;
        constexpr int kProblems = 200;
        for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
            RandomProblemSpec spec;
            spec.shape = kGraphShapes[seed % std::size(kGraphShapes)];
            spec.ops = 5 + static_cast<int>(seed % 2);
            spec.devices = 2 + static_cast<int>(seed / 2 % 2);
            spec.slots = slots;
            spec.communication = seed % 3 == 0 ? 4 : 1;
            spec.zeroCosts = seed % 5 == 0 ? 0.2 : 0;
            spec.edgeTransferCosts = seed % 4 == 0;
            spec.unlikeDevices = unlike;
            spec.pinned = pinned;
            spec.options = seed % 2 == 0 ? SimOptions::published() : SimOptions{};
            if (synchronous) {
                spec.options.mode = ExecutionMode::BulkSynchronous;
            }
            const auto problem = randomProblem(spec, seed);
            const Time best = bestMakespan(problem);
            const std::vector<Bound> bounds = lowerBounds(*problem);
            for (const Bound& bound : bounds) {
                QVERIFY2(bound.value <= best,
                         qPrintable(QStringLiteral("%1, seed %2: %3 above %4")
                                        .arg(QString::fromStdString(bound.name))
                                        .arg(seed)
                                        .arg(bound.value)
                                        .arg(best)));
            }
            ratios += best == 0
                          ? 1
                          : static_cast<double>(bounds.front().value) / static_cast<double>(best);
        }
        qInfo("mean bound / optimum: %.3f", ratios / kProblems);
        QVERIFY(ratios / kProblems >= atLeast);
    }

    void areaOnUnlikeDevicesIsTheFractionalOptimum() {
        // Two kinds of ops, each quick on one of two devices: 10 x (1 | 4) and 10 x (6 | 2).
        // Fractionally, device 0 takes the first kind and x of the second: 10 + 6 x = 2 (10 - x).
        graph::GraphBuilder builder;
        std::vector<Time> compute;
        for (int i = 0; i < 20; ++i) {
            builder.addOp({});
            compute.push_back(i < 10 ? 1'000'000 : 6'000'000);
            compute.push_back(i < 10 ? 4'000'000 : 2'000'000);
        }
        Problem problem;
        problem.graph = builder.build();
        problem.cluster = std::make_shared<cluster::Cluster>(cluster::uniformCluster(2));
        problem.costs =
            cost::CostTable::fromMatrices(*problem.graph, 2, compute, {}, cost::TimeUnit::Units);
        const auto area = static_cast<double>(value(problem, "area"));
        QVERIFY(area <= 17'500'000);
        QVERIFY2(area > 17'500'000 * 0.999, qPrintable(QString::number(area)));
    }

    void pinsCountInTheArea() {
        graph::GraphBuilder builder;
        builder.setFileCostUnit(graph::FileCostUnit::Units);
        for (int i = 0; i < 4; ++i) {
            builder.addOp({.fileCompute = 10, .pinnedDevice = 0});
        }
        QCOMPARE(lowerBound(*published(builder.build(), 2)).value, 40);
    }

    void transferThatCannotBeAvoided() {
        // Two long ops feed one: together they take 20, apart 10 and a transfer of 7.
        graph::GraphBuilder builder;
        builder.setFileCostUnit(graph::FileCostUnit::Units);
        builder.addOp({.fileCompute = 10, .fileTransfer = 7});
        builder.addOp({.fileCompute = 10, .fileTransfer = 7});
        builder.addOp({.fileCompute = 5});
        builder.addEdge(0, 2);
        builder.addEdge(1, 2);
        const auto problem = published(builder.build(), 2);
        QCOMPARE(lowerBound(*problem).name, std::string("communication"));
        QCOMPARE(lowerBound(*problem).value, 22);
        QCOMPARE(value(*problem, "critical path"), 15);
        QCOMPARE(value(*problem, "area"), 13);
    }

    void devicesApartCountOnUnlikePaths() {
        // Op 0 is quick on device 0, op 1 on device 1, and moving costs more than it gains.
        graph::GraphBuilder builder;
        builder.addOp({});
        builder.addOp({});
        builder.addEdge(0, 1);
        Problem problem;
        problem.graph = builder.build();
        problem.cluster = std::make_shared<cluster::Cluster>(cluster::uniformCluster(2));
        problem.costs = cost::CostTable::fromMatrices(*problem.graph, 2, {1, 9, 9, 1},
                                                      {0, 50, 50, 0}, cost::TimeUnit::Units);
        QCOMPARE(value(problem, "critical path"), 2);
        QCOMPARE(value(problem, "device path"), 10);
    }

    void publishedGraphs_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("devices");
        QTest::addColumn<double>("expected"); // x 1e10, known value rounded to three places
        QTest::newRow("chain") << "gdp_chain_mm_112nodes" << 4 << 1200.070;
        QTest::newRow("ffnn") << "ffnn_192nodes" << 4 << 56.696;
        QTest::newRow("block") << "gdp_transformer_block_215nodes" << 4 << 141.385;
        QTest::newRow("layer") << "gdp_full_transformer_layer_261nodes" << 4 << 97.271;
        QTest::newRow("8 devices, block") << "8gpu_transformer_block" << 8 << 159.854;
        QTest::newRow("8 devices, layer") << "8gpu_full_transformer" << 8 << 141.462;
    }

    void publishedGraphs() {
        if (!hasSharedData()) {
            QSKIP(kNoSharedData);
        }
        QFETCH(QString, file);
        QFETCH(int, devices);
        QFETCH(double, expected);
        const QString path = sharedPath("graphs/doppler/" + file + ".txt");
        const auto graph = io::readGraphFile(path.toStdString()).graph;
        const Time bound = lowerBound(*published(graph, devices, SimOptions::published())).value;
        const double reached = static_cast<double>(bound) / 1e10;
        QVERIFY2(reached > expected - 0.0006, qPrintable(QString::number(reached)));
    }

    void nothingIsProvenUnderRandomDurations() {
        RandomProblemSpec spec;
        spec.options.durationVariation = 0.1;
        for (const Bound& bound : lowerBounds(*randomProblem(spec, 1))) {
            QCOMPARE(bound.value, 0);
            QVERIFY(!bound.applies);
        }
    }

    void emptyGraphHasBoundZero() {
        const auto problem = published(
            [] {
                graph::GraphBuilder builder;
                builder.setFileCostUnit(graph::FileCostUnit::Units);
                return builder.build();
            }(),
            2);
        QCOMPARE(lowerBound(*problem).value, 0);
        QCOMPARE(gap(0, 0), 0.0);
    }

    void largestComesFirst() {
        RandomProblemSpec spec;
        spec.ops = 60;
        const std::vector<Bound> bounds = lowerBounds(*randomProblem(spec, 3));
        QCOMPARE(bounds.size(), std::size_t{5});
        QVERIFY(std::is_sorted(bounds.begin(), bounds.end(),
                               [](const Bound& a, const Bound& b) { return a.value > b.value; }));
        QCOMPARE(gap(150, 100), 0.5);
    }
};

QTEST_GUILESS_MAIN(TestBounds)
#include "TestBounds.moc"
