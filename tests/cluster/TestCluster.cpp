#include <QTest>

#include <cmath>

#include "core/cluster/Cluster.h"
#include "core/graph/InputError.h"

using namespace doppler;
using namespace doppler::cluster;

namespace {

std::vector<Device> twoDevices() {
    const Cluster cluster = uniformCluster(2);
    return cluster.devices();
}

std::vector<Link> fourLinks() {
    return std::vector<Link>(4, Link{1e9, 1000, LinkKind::Pcie, 1.0});
}

} // namespace

class TestCluster : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void uniformIsUniformUntilOneLinkDiffers() {
        QVERIFY(uniformCluster(4).isUniform());
        QVERIFY(uniformCluster(1).isUniform());
        std::vector<Link> links = fourLinks();
        QVERIFY(Cluster("even", twoDevices(), links).isUniform());
        links[1].latencyNs = 2000;
        QVERIFY(!Cluster("uneven", twoDevices(), links).isUniform());
    }

    void devicesAreFoundByName() {
        const Cluster cluster = uniformCluster(3);
        QCOMPARE(cluster.deviceByName("Device 2"), DeviceId{2});
        QCOMPARE(cluster.deviceByName("Device 3"), kNoDevice);
    }

    void theDiagonalIsIgnored() {
        std::vector<Link> links = fourLinks();
        links[0] = Link{-1, -1, LinkKind::None, 0};
        QCOMPARE(Cluster("diagonal", twoDevices(), links).link(0, 0), Link{});
    }

    void refusesDeviceCounts_data() {
        QTest::addColumn<int>("count");
        QTest::newRow("none") << 0;
        QTest::newRow("negative") << -1;
        QTest::newRow("too many") << 1025;
    }

    void refusesDeviceCounts() {
        QFETCH(int, count);
        QVERIFY_EXCEPTION_THROWN(uniformCluster(count), InputError);
        QVERIFY_EXCEPTION_THROWN(cpuCluster(count), InputError);
    }

    void refusesUnusableDevices() {
        const auto refused = [](auto change) {
            std::vector<Device> devices = twoDevices();
            change(devices[1]);
            try {
                Cluster("bad", devices, fourLinks());
            } catch (const InputError& error) {
                return std::string(error.what()).find("device 1") != std::string::npos;
            }
            return false;
        };
        QVERIFY(refused([](Device& device) { device.name = "Device 0"; }));
        QVERIFY(refused([](Device& device) { device.name.clear(); }));
        QVERIFY(refused([](Device& device) { device.slots = 0; }));
        QVERIFY(refused([](Device& device) { device.slots = 1'000'000'000; }));
        QVERIFY(refused([](Device& device) { device.capacityBytes = -1; }));
        QVERIFY(refused([](Device& device) { device.relativeSpeed = 0; }));
        QVERIFY(refused([](Device& device) { device.memoryBytesPerSecond = std::nan(""); }));
        QVERIFY(refused([](Device& device) { device.peakFlops[3] = -1; }));
    }

    void refusesUnusableLinks() {
        const auto refused = [](Link link) {
            std::vector<Link> links = fourLinks();
            links[2] = link;
            try {
                Cluster("bad", twoDevices(), links);
            } catch (const InputError& error) {
                return std::string(error.what()).find("\"Device 1\" to \"Device 0\"") !=
                       std::string::npos;
            }
            return false;
        };
        QVERIFY(refused({0, 0, LinkKind::Pcie, 1}));
        QVERIFY(refused({1e9, -1, LinkKind::Pcie, 1}));
        QVERIFY(refused({1e9, 0, LinkKind::None, 1}));
        QVERIFY(refused({INFINITY, 0, LinkKind::Pcie, 1}));
        QVERIFY_EXCEPTION_THROWN(Cluster("short", twoDevices(), std::vector<Link>(3)), InputError);
    }
};

QTEST_GUILESS_MAIN(TestCluster)
#include "TestCluster.moc"
