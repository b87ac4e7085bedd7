#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/RunProgram.h"

using doppler::tests::ProgramRun;
using doppler::tests::runDoppler;

/// `doppler execute`, as a user calls it.
class TestExecuteCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWorkloadRunsAndAgrees_data() {
        QTest::addColumn<QString>("workload");
        for (const char* name :
             {"chainmm:size=tiny", "ffnn:size=tiny", "llama-block:size=tiny",
              "llama-layer:size=tiny", "moe:size=tiny", "inception-v3:size=tiny", "rnnlm:size=tiny",
              "nmt:size=tiny", "inception-v3:size=tiny,training=true",
              "rnnlm:size=tiny,training=true", "nmt:size=tiny,training=true"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }

    void everyWorkloadRunsAndAgrees() {
        QFETCH(QString, workload);
        const ProgramRun run =
            runDoppler({"execute", workload, "--cluster", "cpu:2", "--placer", "critical-path",
                        "--runtime", "cpu", "--check", "--repeat", "20", "--json"});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QJsonObject json = QJsonDocument::fromJson(run.out).object();
        QCOMPARE(json["runtime"].toString(), QStringLiteral("cpu"));
        QCOMPARE(json["emulated"].toBool(true), false);
        QCOMPARE(json["makespans_ms"].toArray().size(), 20);
        QVERIFY(json["makespan_ms"]["mean"].toDouble() > 0);
        QVERIFY(json["makespan_ms"]["sd"].isDouble());
        QVERIFY(json["relative_error"].isDouble());
        QVERIFY(json["relative_error"].toDouble() < 1e-4);
        QVERIFY(json["per_device"][1]["peak_memory_bytes"].toDouble() > 0);
    }

    void aPlacementFileRuns() {
        QTemporaryDir folder;
        const QString placement = folder.filePath("p.json");
        const QString trace = folder.filePath("t.json");
        QCOMPARE(runDoppler({"place", "ffnn:size=tiny", "--cluster", "cpu:2", "--placer", "heft",
                             "-o", placement})
                     .exitCode,
                 0);
        const ProgramRun run = runDoppler({"execute", "ffnn:size=tiny", "--cluster", "cpu:2",
                                           "--assignment", placement, "--trace", trace});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY(run.out.contains("makespan"));
        QFile file(trace);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(QJsonDocument::fromJson(file.readAll())["traceEvents"].toArray().size() > 180);
    }

    void faultsAreSaid_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("message");
        QTemporaryDir folder;
        QTest::newRow("no tensors")
            << QStringList{"random:ops=20", "--cluster", "cpu:2"} << 3 << "without tensors";
        QTest::newRow("no tensors with training")
            << QStringList{"chainmm:size=tiny,training=true", "--cluster", "cpu:2"} << 3
            << "training";
        QTest::newRow("no placement")
            << QStringList{"chainmm:size=tiny", "--cluster", "cpu:2", "--placer="} << 2 << "";
        QTest::newRow("nothing to check")
            << QStringList{"chainmm:size=tiny", "--cluster", "cpu:2",
                           "--runtime",         "emulated",  "--check"}
            << 2 << "computes no numbers";
        QTest::newRow("unknown runtime")
            << QStringList{"chainmm:size=tiny", "--cluster", "cpu:2", "--runtime", "tpu"} << 2
            << "cpu";
    }

    void faultsAreSaid() {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QString, message);
        QStringList all{"execute"};
        all += arguments;
        if (!arguments.contains("--placer=")) {
            all += {"--placer", "critical-path"};
        }
        const ProgramRun run = runDoppler(all);
        QVERIFY2(run.exitCode == exitCode, run.err.constData());
        QVERIFY2(run.err.contains(message.toUtf8()), run.err.constData());
        QVERIFY(run.out.isEmpty());
    }

    void aFileCannotBeExecuted() {
        QTemporaryDir folder;
        const QString graph = folder.filePath("g.json");
        QCOMPARE(runDoppler({"graph", "chainmm:size=tiny", "-o", graph}).exitCode, 0);
        const ProgramRun run =
            runDoppler({"execute", graph, "--cluster", "cpu:2", "--placer", "critical-path"});
        QCOMPARE(run.exitCode, 3);
        QVERIFY2(run.err.contains("only workloads can be executed"), run.err.constData());
    }

    void anEmulatedMachineRunsFilesToo() {
        QTemporaryDir folder;
        const QString graph = folder.filePath("g.json");
        QCOMPARE(runDoppler({"graph", "chainmm:size=tiny", "-o", graph}).exitCode, 0);
        const ProgramRun run = runDoppler({"execute", graph, "--cluster", "p100x4", "--placer",
                                           "critical-path", "--runtime", "emulated", "--json"});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QJsonObject json = QJsonDocument::fromJson(run.out).object();
        QCOMPARE(json["emulated"].toBool(), true);
        QVERIFY(json["makespan_ms"]["mean"].toDouble() > 0);
        QVERIFY(json["error_limit"].isNull());
    }

    void withoutGpuCudaExplainsItself() {
        const ProgramRun info = runDoppler({"info", "--json"});
        if (!QJsonDocument::fromJson(info.out)["cuda"]["devices"].toArray().isEmpty()) {
            QSKIP("this machine has a GPU");
        }
        const ProgramRun run = runDoppler({"execute", "chainmm:size=tiny", "--cluster", "cpu:2",
                                           "--placer", "single", "--runtime", "cuda"});
        QCOMPARE(run.exitCode, 4);
        QVERIFY2(run.err.contains("no CUDA device"), run.err.constData());
        QVERIFY(run.out.isEmpty());
    }

    void aDeviceThatIsTooSmallIsNamed() {
        QTemporaryDir folder;
        const QString cluster = folder.filePath("c.json");
        QFile file(cluster);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"format": "doppler-cluster/1", "name": "c", "devices": [
            {"name": "small", "flops": {"f32": 1e9}, "memoryBytesPerSecond": 1e9,
             "capacityBytes": 1000}], "links": []})");
        file.close();
        const ProgramRun run = runDoppler(
            {"execute", "chainmm:size=tiny", "--cluster", cluster, "--placer", "single"});
        QCOMPARE(run.exitCode, 4);
        QVERIFY2(run.err.contains("\"small\" lacks"), run.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestExecuteCommand)
#include "TestExecuteCommand.moc"
