#include <QTest>

#include "core/cost/CostTable.h"
#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"

using namespace doppler;
using namespace doppler::cost;

namespace {

/// Two ops, the second reads the first: 1 GFLOP and 1 MB, costs 100 and 40 stated by the file.
std::shared_ptr<const graph::Graph> twoOps(graph::FileCostUnit unit, std::int64_t flops,
                                           std::int64_t bytes) {
    graph::GraphBuilder builder;
    builder.setFileCostUnit(unit);
    for (int i = 0; i < 2; ++i) {
        builder.addOp({.dtype = graph::DType::F32,
                       .outputBytes = bytes,
                       .flops = flops,
                       .fileCompute = 100,
                       .fileTransfer = 40});
    }
    builder.addEdge(0, 1);
    return builder.build();
}

/// Device 1 at half speed and rate, the link back at half speed and bandwidth.
cluster::Cluster unlikePair() {
    const cluster::Cluster even = cluster::uniformCluster(2);
    std::vector<cluster::Device> devices = even.devices();
    devices[1].relativeSpeed = 0.5;
    devices[1].peakFlops[static_cast<std::size_t>(graph::DType::F32)] /= 2;
    std::vector<cluster::Link> links(4, even.link(0, 1));
    links[2].relativeSpeed = 0.5;
    links[2].bytesPerSecond /= 2;
    return cluster::Cluster("unlike", devices, links);
}

} // namespace

class TestCostTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void publishedCostsAreTheFilesOwnDividedBySpeed() {
        const auto graph = twoOps(graph::FileCostUnit::Units, 0, 0);
        const auto costs = publishedCosts(*graph, unlikePair());
        QCOMPARE(costs->unit(), TimeUnit::Units);
        QCOMPARE(costs->compute(0, 0), Time{100});
        QCOMPARE(costs->compute(0, 1), Time{200});
        QCOMPARE(costs->transfer(0, 0, 0, 1), Time{40});
        QCOMPARE(costs->transfer(0, 0, 1, 0), Time{80});
        QCOMPARE(costs->transfer(0, 0, 1, 1), Time{0});
        QCOMPARE(costs->meanCompute(0), 150.0);
        QCOMPARE(costs->meanTransfer(0, 0), 60.0);
    }

    void physicalCostsFollowTheFormula() {
        const auto graph = twoOps(graph::FileCostUnit::None, 1'000'000'000, 1'000'000);
        const cluster::Cluster cluster = unlikePair();
        const auto costs = physicalCosts(*graph, cluster);
        QCOMPARE(costs->unit(), TimeUnit::Nanoseconds);
        // 1 GFLOP at 10 TFLOP/s is 100 us, plus 5 us launch; half the rate, twice the math.
        QCOMPARE(costs->compute(0, 0), Time{105'000});
        QCOMPARE(costs->compute(0, 1), Time{205'000});
        // 1 MB at 5 GB/s is 200 us, plus 10 us latency.
        QCOMPARE(costs->transfer(0, 0, 0, 1), Time{210'000});
        QCOMPARE(costs->transfer(0, 0, 1, 0), Time{410'000});
    }

    void memoryBoundOpsTakeTheMemorysTime() {
        const auto graph = twoOps(graph::FileCostUnit::None, 1, 500'000'000);
        const auto costs = physicalCosts(*graph, cluster::uniformCluster(1));
        // Op 0 writes 0.5 GB, op 1 reads and writes 1 GB, at 500 GB/s.
        QCOMPARE(costs->compute(0, 0), Time{1'005'000});
        QCOMPARE(costs->compute(1, 0), Time{2'005'000});
    }

    void costsThatCannotBeKnownAreRefused() {
        const auto sizesOnly = twoOps(graph::FileCostUnit::None, 1, 1);
        QVERIFY_EXCEPTION_THROWN(publishedCosts(*sizesOnly, unlikePair()), InputError);
        const auto costsOnly = twoOps(graph::FileCostUnit::Units, 0, 0);
        QVERIFY_EXCEPTION_THROWN(physicalCosts(*costsOnly, unlikePair()), InputError);
        QVERIFY_EXCEPTION_THROWN(makeCosts(CostModel::Profiled, *costsOnly, unlikePair()),
                                 InputError);
        QCOMPARE(defaultCostModel(*costsOnly), CostModel::Published);
        QCOMPARE(defaultCostModel(*sizesOnly), CostModel::Physical);
    }

    void matricesAreTakenAsTheyAre() {
        const auto graph = twoOps(graph::FileCostUnit::None, 0, 0);
        const auto costs =
            CostTable::fromMatrices(*graph, 2, {1, 2, 3, 4}, {0, 5, 6, 0}, TimeUnit::Units);
        QCOMPARE(costs->compute(1, 0), Time{3});
        QCOMPARE(costs->transfer(0, 0, 0, 1), Time{5});
        QCOMPARE(costs->transfer(0, 0, 1, 0), Time{6});
        QCOMPARE(costs->meanTransfer(0, 0), 5.5);
        QVERIFY_EXCEPTION_THROWN(
            CostTable::fromMatrices(*graph, 2, {1, 2, 3}, {0, 5, 6, 0}, TimeUnit::Units),
            InputError);
    }
};

QTEST_GUILESS_MAIN(TestCostTable)
#include "TestCostTable.moc"
