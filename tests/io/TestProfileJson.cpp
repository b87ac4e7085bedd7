#include <cmath>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/cost/ProfiledCosts.h"
#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/ProfileJson.h"
#include "core/workload/Workload.h"

using namespace doppler;

namespace {

cluster::Profile sample() {
    cluster::Profile profile;
    profile.runtime = "cpu";
    profile.processor = "Some CPU";
    profile.blas = "Haswell";
    profile.blasThreads = 1;
    profile.date = "2026-03-01T12:00:00Z";
    profile.version = "0.1.0";
    profile.runs = 24;
    profile.disturbed = 3;
    profile.deviceFactors = {1, 1.25};
    profile.kernels = {{.kernel = "matmul f32 8x8", .device = 0, .ns = 1200, .samples = 9},
                       {.kernel = "add f32 8", .device = 1, .ns = 3, .samples = 2, .spiky = true}};
    profile.kernels.front().spread = 0.125;
    profile.links = {{.from = 0,
                      .to = 1,
                      .latencyNs = 5000,
                      .bytesPerSecond = 4.5e9,
                      .samples = 20,
                      .error = 0.01}};
    return profile;
}

QString write(const QTemporaryDir& folder, const QByteArray& text) {
    const QString path = folder.filePath(QStringLiteral("c.json"));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        file.write(text);
    }
    return path;
}

} // namespace

class TestProfileJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsRead() {
        const QTemporaryDir folder;
        const cluster::Cluster cluster = cluster::cpuCluster(2);
        const std::string text = io::writeClusterJson(cluster, sample());
        const std::string path = write(folder, QByteArray::fromStdString(text)).toStdString();
        QVERIFY(*io::openCluster(path) == cluster);
        const auto profile = io::openProfile(path);
        QVERIFY(profile != nullptr);
        QVERIFY(*profile == sample());
    }

    void presetsAndPlainFilesHaveNone() {
        const QTemporaryDir folder;
        QVERIFY(io::openProfile("p100x4") == nullptr);
        QVERIFY(io::openProfile("uniform:4") == nullptr);
        const std::string text = io::writeClusterJson(cluster::cpuCluster(2));
        const QString path = write(folder, QByteArray::fromStdString(text));
        QVERIFY(io::openProfile(path.toStdString()) == nullptr);
    }

    void faultsHaveOneMessage_data() {
        QTest::addColumn<QByteArray>("found");
        QTest::addColumn<QByteArray>("instead");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("device") << QByteArray("\"device\":1") << QByteArray("\"device\":2")
                                << QByteArray("/profile/kernels/1/device");
        QTest::newRow("time") << QByteArray("\"ns\":1200") << QByteArray("\"ns\":-1")
                              << QByteArray("/profile/kernels/0/ns");
        QTest::newRow("bandwidth")
            << QByteArray("\"bytesPerSecond\":4500000000") << QByteArray("\"bytesPerSecond\":0")
            << QByteArray("/profile/links/0/bytesPerSecond");
        QTest::newRow("pair") << QByteArray("\"pair\":[0,1]") << QByteArray("\"pair\":[1,1]")
                              << QByteArray("two different devices");
        QTest::newRow("factors") << QByteArray("[1,1.25]") << QByteArray("[1]")
                                 << QByteArray("one for each device");
        QTest::newRow("misspelt") << QByteArray("\"blasThreads\"") << QByteArray("\"blassThreads\"")
                                  << QByteArray("blassThreads");
        QTest::newRow("emulated by nobody")
            << QByteArray("\"emulated\": false") << QByteArray("\"emulated\": true")
            << QByteArray("as the runtime is cpu");
        QTest::newRow("an emulated runtime")
            << QByteArray("\"runtime\": \"cpu\"") << QByteArray("\"runtime\": \"emulated\"")
            << QByteArray("as the runtime is emulated");
        QTest::newRow("twice") << QByteArray("add f32 8\",\"device\":1")
                               << QByteArray("matmul f32 8x8\",\"device\":0")
                               << QByteArray("a kernel twice");
    }

    void faultsHaveOneMessage() {
        QFETCH(QByteArray, found);
        QFETCH(QByteArray, instead);
        QFETCH(QByteArray, message);
        QByteArray text =
            QByteArray::fromStdString(io::writeClusterJson(cluster::cpuCluster(2), sample()));
        QVERIFY2(text.contains(found), text.constData());
        text.replace(found, instead);
        for (const bool whole : {true, false}) {
            const QTemporaryDir folder;
            const std::string path = write(folder, text).toStdString();
            try {
                whole ? static_cast<void>(io::openCluster(path))
                      : static_cast<void>(io::openProfile(path));
                QFAIL("no error");
            } catch (const InputError& error) {
                QVERIFY2(QByteArray(error.what()).contains(message), error.what());
            }
        }
    }

    void measuredTimesCount() {
        const auto graph = workload::generate("chainmm:size=tiny");
        const cluster::Cluster cluster = cluster::cpuCluster(2);
        cluster::Profile profile = sample();
        profile.kernels = {
            {.kernel = cost::kernelKey(*graph, 0), .device = 0, .ns = 1000, .samples = 1}};
        const auto costs = cost::profiledCosts(*graph, cluster, profile);
        const auto physical = cost::physicalCosts(*graph, cluster);
        QCOMPARE(costs->model(), cost::CostModel::Profiled);
        QCOMPARE(costs->unit(), cost::TimeUnit::Nanoseconds);
        QCOMPARE(costs->compute(0, 0), Time{1000});
        QCOMPARE(costs->compute(0, 1), Time{1250}); // the slower device of its class
        const OpId last = graph->opCount() - 1;
        QVERIFY(cost::kernelKey(*graph, last) != cost::kernelKey(*graph, 0));
        QCOMPARE(costs->compute(last, 1), physical->compute(last, 1));
        const double bytes = static_cast<double>(graph->edgeBytes(0));
        QCOMPARE(costs->transfer(0, graph->source(0), 0, 1),
                 Time{std::llround(5000 + bytes / 4.5)});
        QCOMPARE(costs->transfer(0, graph->source(0), 1, 1), Time{0});
        QCOMPARE(costs->linkClasses(), std::size_t{1});
        const auto coverage = cost::profileCoverage(*graph, cluster, profile);
        QVERIFY(coverage.measuredOps >= 1 && coverage.measuredOps < coverage.ops);
        QCOMPARE(coverage.measuredLinks, 1);
        profile.kernels.front().device = 2;
        QVERIFY_THROWS_EXCEPTION(InputError, cost::profiledCosts(*graph, cluster, profile));
    }

    void keysTellKernelsApart() {
        const auto graph = workload::generate("chainmm:size=tiny");
        const std::string key = cost::kernelKey(*graph, graph->opCount() - 1);
        QVERIFY2(key.find(" f32 ") != std::string::npos, key.c_str());
        QVERIFY2(key.find(" <- ") != std::string::npos, key.c_str());
        QVERIFY2(key.find(" FLOP") != std::string::npos, key.c_str());
    }
};

QTEST_GUILESS_MAIN(TestProfileJson)
#include "TestProfileJson.moc"
