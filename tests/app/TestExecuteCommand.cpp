#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include "tests/support/RunProgram.h"

using doppler::tests::catchesSignals;
using doppler::tests::contents;
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
        QTest::newRow("units") << QStringList{"chainmm:size=tiny", "--cluster", "cpu:2", "--costs",
                                              "published"}
                               << 2 << "expected physical or profiled";
        QTest::newRow("no such transfer")
            << QStringList{"chainmm:size=tiny", "--cluster", "cpu:2", "--transfer", "xx"} << 2
            << "{auto,peer,nccl}";
        QTest::newRow("a transfer of GPUs")
            << QStringList{"chainmm:size=tiny", "--cluster", "cpu:2", "--transfer", "nccl"} << 2
            << "only the runtime cuda";
        QTest::newRow("half a run")
            << QStringList{"chainmm:size=tiny", "--cluster", "cpu:2", "--warm-up", "2.5"} << 2
            << "found 2.5, expected a whole number from 0 to 1000";
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

    void anEmulatedRunIsCalledSoInFiles() {
        QTemporaryDir folder;
        const QString trace = folder.filePath("t.json");
        const QString timeline = folder.filePath("r.json");
        const ProgramRun run =
            runDoppler({"execute", "chainmm:size=tiny", "--cluster", "p100x4-testbed", "--placer",
                        "heft", "--runtime", "emulated", "--trace", trace, "-o", timeline});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.err.contains("Four P100"), run.err.constData());
        for (const QString& path : {trace, timeline}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
            QCOMPARE((path == trace ? json["otherData"].toObject() : json)["emulated"].toBool(),
                     true);
        }
    }

    void optionsWithoutEffectAreTold() {
        const ProgramRun run =
            runDoppler({"execute", "chainmm:size=tiny", "--cluster", "cpu:2", "--placer", "heft",
                        "--runtime", "emulated", "--mode", "bsp", "--noise", "0.5"});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.contains("--mode, --noise: for the placer only"), run.err.constData());
    }

    void whatIsOfOneRunSaysSo() {
        const QStringList command{"execute", "chainmm:size=tiny", "--cluster", "p100x4", "--placer",
                                  "heft",    "--runtime",         "emulated"};
        QVERIFY(!runDoppler(command).out.contains("median run"));
        const ProgramRun several = runDoppler(command + QStringList{"--repeat", "3"});
        QVERIFY2(several.out.contains("(of the median run, "), several.out.constData());
    }

    void seedsShareNoRuns() {
        const auto runs = [](const char* seed) {
            return QJsonDocument::fromJson(
                       runDoppler({"execute", "chainmm:size=tiny", "--cluster", "p100x4",
                                   "--placer", "round-robin", "--runtime", "emulated", "--seed",
                                   seed, "--repeat", "5", "--json"})
                           .out)["makespans_ms"]
                .toArray();
        };
        const QJsonArray second = runs("2");
        QCOMPARE(second.size(), 5);
        for (const QJsonValue& makespan : runs("1")) {
            QVERIFY(!second.contains(makespan));
        }
    }

    // Whoever stops while the inputs are made waits for nothing, and is told so.
    void aStopBeforeTheFirstRunEndsItAtOnce_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("ended") << SIGTERM;
        QTest::newRow("lost terminal") << SIGHUP;
    }

    void aStopBeforeTheFirstRunEndsItAtOnce() {
        QFETCH(int, signal);
        QProcess process;
        process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_DFL); });
        process.start(QStringLiteral(DOPPLER_BINARY_DIR "/app/doppler"),
                      {"execute", "chainmm:n=4000", "--cluster", "cpu:2", "--placer", "single"});
        QVERIFY(catchesSignals(process));
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 128 + signal);
        QVERIFY(process.readAllStandardOutput().isEmpty());
        const QByteArray error = process.readAllStandardError();
        QVERIFY2(error.contains("interrupted before there was a result"), error.constData());
    }

    // Of two signals that wait, the one with the lower number would be taken first.
    void aLostTerminalIsNoStopUnderNohup() {
        QProcess process;
        process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_IGN); });
        process.start(QStringLiteral(DOPPLER_BINARY_DIR "/app/doppler"),
                      {"execute", "chainmm:n=4000", "--cluster", "cpu:2", "--placer", "single"});
        QVERIFY(catchesSignals(process));
        const auto id = static_cast<pid_t>(process.processId());
        QCOMPARE(::kill(id, SIGHUP), 0);
        QCOMPARE(::kill(id, SIGTERM), 0);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 128 + SIGTERM);
    }

    void aStopKeepsTheRunsThatWereMade_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("Ctrl-C") << SIGINT;
        QTest::newRow("lost terminal") << SIGHUP;
    }

    // When the first run has ended is the machine's business: wait longer until it has.
    void aStopKeepsTheRunsThatWereMade() {
        QFETCH(int, signal);
        for (int wait = 250; wait < 60'000; wait *= 2) {
            QTemporaryDir folder;
            QProcess process;
            process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_DFL); });
            process.start(QStringLiteral(DOPPLER_BINARY_DIR "/app/doppler"),
                          {"execute", "chainmm:size=tiny", "--cluster", "cpu:2", "--placer",
                           "single", "--repeat", "1000000", "--json", "--trace",
                           folder.filePath("t.json")});
            QVERIFY(catchesSignals(process));
            QVERIFY(!process.waitForFinished(wait));
            QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
            QVERIFY(process.waitForFinished(60'000));
            QCOMPARE(process.exitCode(), 128 + signal);
            const QByteArray out = process.readAllStandardOutput();
            if (out.isEmpty()) {
                continue;
            }
            const QJsonObject json = QJsonDocument::fromJson(out).object();
            QVERIFY(json["repeat"].toInt() >= 1 && json["repeat"].toInt() < 1'000'000);
            QVERIFY(json["notes"].toArray().last().toString().startsWith("stopped early"));
            QVERIFY(QFile::exists(folder.filePath("t.json")));
            return;
        }
        QFAIL("no run ended");
    }

    // Where ops take other times, values live at other times: a placement fits in some runs only.
    void aRunThatFailsKeepsThoseBeforeIt() {
        const QTemporaryDir folder;
        const QString cluster = folder.filePath("c.json");
        QCOMPARE(runDoppler({"clusters", "cpu:2", "-o", cluster}).exitCode, 0);
        QByteArray text = contents(cluster);
        text.replace("\"capacityBytes\":0", "\"capacityBytes\":220000");
        QFile file(cluster);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const QString table = folder.filePath("runs.csv");
        const ProgramRun run = runDoppler({"execute", "ffnn:size=tiny", "--cluster", cluster,
                                           "--placer", "critical-path", "--runtime", "emulated",
                                           "--repeat", "3000", "--json", "-o", table});
        QCOMPARE(run.exitCode, 4);
        const QJsonObject json = QJsonDocument::fromJson(run.out).object();
        const int runs = json["repeat"].toInt();
        QVERIFY(runs >= 1 && runs < 3000);
        QCOMPARE(json["makespans_ms"].toArray().size(), runs);
        const QByteArray failed =
            QStringLiteral("run %1 of 3,000 failed: device \"CPU").arg(runs + 1).toUtf8();
        QVERIFY2(run.err.contains(failed), run.err.constData());
        QVERIFY2(run.err.contains("in some runs only"), run.err.constData());
        QVERIFY(json["notes"].toArray().last().toString().contains("in some runs only"));
        QVERIFY(contents(table).count('\n') > 10);
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
