#include <QTest>

#include "core/engine/DetectCluster.h"
#include "core/engine/SystemInfo.h"

using namespace doppler;
using namespace doppler::engine;

namespace {

Gpu h100() {
    return {.name = "NVIDIA H100 80GB HBM3",
            .computeMajor = 9,
            .computeMinor = 0,
            .multiprocessors = 132,
            .clockHz = 1.83e9,
            .memoryBytes = 80'000'000'000,
            .memoryBytesPerSecond = 3.35e12,
            .singleToDoubleRatio = 2};
}

bool isNear(double value, double expected) {
    return std::abs(value / expected - 1) < 0.01;
}

} // namespace

class TestDetectCluster : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void estimatesThePeaksOfTheDataSheet() {
        const cluster::Cluster cluster =
            clusterFromGpus({.gpus = {h100()}, .links = {GpuLink::ThroughHost}});
        const cluster::Device& device = cluster.device(0);
        QCOMPARE(QString::fromStdString(device.model), QStringLiteral("NVIDIA H100 80GB HBM3"));
        QVERIFY(isNear(device.flopsPerSecond(graph::DType::F32), 61.8e12));
        QVERIFY(isNear(device.flopsPerSecond(graph::DType::F16), 989e12));
        QVERIFY(isNear(device.flopsPerSecond(graph::DType::F64), 30.9e12));
        QCOMPARE(device.capacityBytes, std::int64_t{80'000'000'000});
    }

    void linksFollowThePeerAccess() {
        const GpuLink nv = GpuLink::NvLink;
        const GpuLink host = GpuLink::ThroughHost;
        const GpuLink pcie = GpuLink::Pcie;
        const cluster::Cluster cluster =
            clusterFromGpus({.gpus = {h100(), h100(), h100()},
                             .links = {host, nv, pcie, nv, host, host, pcie, host, host}});
        QCOMPARE(cluster.link(0, 1).kind, cluster::LinkKind::NvLink);
        QCOMPARE(cluster.link(0, 2).kind, cluster::LinkKind::Pcie);
        QVERIFY(cluster.link(0, 1).bytesPerSecond > cluster.link(0, 2).bytesPerSecond);
        QVERIFY(cluster.link(0, 2).bytesPerSecond > cluster.link(1, 2).bytesPerSecond);
    }

    void anUnknownGpuStillGetsRates() {
        const cluster::Cluster cluster =
            clusterFromGpus({.gpus = {{.name = "GPU of the future", .computeMajor = 99}},
                             .links = {GpuLink::Pcie}});
        QVERIFY(cluster.device(0).flopsPerSecond(graph::DType::F32) > 0);
        QVERIFY(cluster.device(0).memoryBytesPerSecond > 0);
    }

    void detectionAlwaysYieldsDevicesAndAReason() {
        const DetectedCluster detected = detectCluster();
        QVERIFY(detected.cluster->deviceCount() >= 1);
        QVERIFY(!detected.message.empty());
        const SystemInfo info = systemInfo();
        QVERIFY(info.processors >= 1);
        QVERIFY(info.memoryBytes > 0);
        QCOMPARE(info.cuda.gpus.empty(), !info.cuda.message.empty());
    }
};

QTEST_GUILESS_MAIN(TestDetectCluster)
#include "TestDetectCluster.moc"
