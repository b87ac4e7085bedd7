#include <QTest>

#include "core/graph/InputError.h"
#include "core/io/Formats.h"

using namespace doppler;
using namespace doppler::io;
using cluster::LinkKind;

class TestClusters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void opensEveryPreset() {
        int fixed = 0;
        for (const ClusterPreset& preset : clusterPresets()) {
            QVERIFY2(!preset.description.empty(), preset.name.c_str());
            if (preset.parametric) {
                continue;
            }
            ++fixed;
            const auto cluster = openCluster(preset.name);
            QCOMPARE(cluster->name(), preset.name);
            QVERIFY(cluster->deviceCount() >= 4);
            for (const cluster::Device& device : cluster->devices()) {
                QVERIFY(device.flopsPerSecond(graph::DType::F16) >
                        device.flopsPerSecond(graph::DType::F32));
                QVERIFY(device.capacityBytes >= std::int64_t{16} << 30);
            }
        }
        QCOMPARE(fixed, 9);
        QCOMPARE(openCluster("uniform:5")->deviceCount(), 5);
        QCOMPARE(openCluster("cpu:2")->deviceCount(), 2);
    }

    void hybridCubeMeshHasSixLinksADevice() {
        const auto cluster = openCluster("v100x8");
        constexpr double kOneLink = 25e9;
        for (DeviceId from = 0; from < 8; ++from) {
            double links = 0;
            int pcie = 0;
            for (DeviceId to = 0; to < 8; ++to) {
                if (from == to) {
                    continue;
                }
                QVERIFY(cluster->link(from, to) == cluster->link(to, from));
                if (cluster->link(from, to).kind == LinkKind::NvLink) {
                    links += cluster->link(from, to).bytesPerSecond / kOneLink;
                } else {
                    ++pcie;
                }
            }
            QCOMPARE(links, 6.0);
            QCOMPARE(pcie, 3);
        }
    }

    void mixedAndTwoNodeClustersAreUnlike() {
        const auto mixed = openCluster("mixed");
        QCOMPARE(mixed->device(0).name, std::string("Fast 0"));
        QVERIFY(mixed->device(3).relativeSpeed < 1);
        QVERIFY(!mixed->isUniform());
        const auto nodes = openCluster("v100-2x4");
        QCOMPARE(nodes->link(3, 4).kind, LinkKind::Network);
        QCOMPARE(nodes->link(4, 7).kind, LinkKind::NvLink);
        QVERIFY(openCluster("h100x8")->link(0, 7) == openCluster("h100x8")->link(3, 1));
    }

    void writesWhatItReads_data() {
        QTest::addColumn<QString>("name");
        for (const ClusterPreset& preset : clusterPresets()) {
            QString name = QString::fromStdString(preset.name);
            name.replace(QLatin1Char('N'), QLatin1Char('3'));
            QTest::newRow(preset.name.c_str()) << name;
        }
    }

    void writesWhatItReads() {
        QFETCH(QString, name);
        const auto cluster = openCluster(name.toStdString());
        const auto again = parseClusterJson(writeClusterJson(*cluster), "copy");
        QVERIFY(*again == *cluster);
    }

    void laterRulesReplaceEarlierOnes() {
        const auto cluster = parseClusterJson(R"({
            "format": "doppler-cluster/1", "name": "c",
            "devices": [{"name": "a"}, {"name": "b"}, {"name": "g", "count": 2}],
            "links": [
                {"kind": "pcie", "bytesPerSecond": 1},
                {"among": ["a", "g 0", "g 1"], "kind": "nvlink", "bytesPerSecond": 2},
                {"pairs": [["a", 2]], "oneWay": true, "kind": "network", "bytesPerSecond": 3}]})",
                                              "test");
        QCOMPARE(cluster->device(3).name, std::string("g 1"));
        QCOMPARE(cluster->link(0, 1).kind, LinkKind::Pcie);
        QCOMPARE(cluster->link(3, 2).kind, LinkKind::NvLink);
        QCOMPARE(cluster->link(0, 2).kind, LinkKind::Network);
        QCOMPARE(cluster->link(2, 0).kind, LinkKind::NvLink);
        QVERIFY(*parseClusterJson(writeClusterJson(*cluster), "copy") == *cluster);
    }

    void saysWhatAnUnknownNameCouldHaveBeen() {
        try {
            openCluster("v100x9");
            QFAIL("an unknown preset was opened");
        } catch (const InputError& error) {
            const QString message = QString::fromUtf8(error.what());
            QVERIFY2(message.contains(QStringLiteral("v100x9")), error.what());
            QVERIFY2(message.contains(QStringLiteral("v100x8")), error.what());
        }
        QVERIFY_EXCEPTION_THROWN(openCluster("uniform:"), InputError);
        QVERIFY_EXCEPTION_THROWN(openCluster("uniform:4x"), InputError);
        QVERIFY_EXCEPTION_THROWN(openCluster("uniform:0"), InputError);
    }
};

QTEST_GUILESS_MAIN(TestClusters)
#include "TestClusters.moc"
