#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/RunProgram.h"

using doppler::tests::contents;
using doppler::tests::ProgramRun;
using doppler::tests::runDoppler;

/// `doppler calibrate`, `doppler fidelity` and `--costs profiled`, as a user calls them.
class TestCalibrateCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        measured_ = folder_.filePath("measured.json");
        const ProgramRun run =
            runDoppler({"calibrate", "chainmm:size=tiny", "ffnn:size=tiny", "--cluster", "p100x4",
                        "--runtime", "emulated", "-o", measured_, "--json"});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        calibrated_ = QJsonDocument::fromJson(run.out).object();
    }

    void calibrateSaysWhatItMeasured() {
        QCOMPARE(calibrated_["runtime"].toString(), QStringLiteral("emulated"));
        QCOMPARE(calibrated_["emulated"].toBool(), true);
        QVERIFY(calibrated_["kernels"].toInt() > 5);
        QCOMPARE(calibrated_["links"].toArray().size(), 1);
        QVERIFY(calibrated_["links"][0]["bytes_per_second"].toDouble() > 0);
        QCOMPARE(calibrated_["device_factors"].toArray().size(), 4);
    }

    void profiledCostsAreUsed() {
        const QStringList place{"place",    "chainmm:size=tiny", "--cluster", measured_,
                                "--placer", "critical-path",     "--json",    "--costs"};
        const ProgramRun profiled = runDoppler(place + QStringList{"profiled"});
        QVERIFY2(profiled.exitCode == 0, profiled.err.constData());
        QVERIFY2(profiled.err.contains("an emulated machine"), profiled.err.constData());
        const QJsonObject json = QJsonDocument::fromJson(profiled.out).object();
        QCOMPARE(json["costs"].toString(), QStringLiteral("profiled"));
        QCOMPARE(json["unit"].toString(), QStringLiteral("ns"));
        QVERIFY(json["report"][0].toString().contains("nothing was measured"));
        const ProgramRun physical = runDoppler(place + QStringList{"physical"});
        QVERIFY(json["makespan"].toDouble() >
                QJsonDocument::fromJson(physical.out)["makespan"].toDouble());
    }

    void whatWasNotMeasuredIsTold() {
        const ProgramRun run = runDoppler({"place", "llama-block:size=tiny", "--cluster", measured_,
                                           "--placer", "heft", "--costs", "profiled"});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.err.contains("ops were not measured"), run.err.constData());
    }

    void aClusterWithoutTimesIsRefused() {
        const ProgramRun run = runDoppler({"place", "chainmm:size=tiny", "--cluster", "p100x4",
                                           "--placer", "heft", "--costs", "profiled"});
        QCOMPARE(run.exitCode, 3);
        QVERIFY2(run.err.contains("doppler calibrate"), run.err.constData());
    }

    void theProfileStaysWithTheCluster() {
        const QString copy = folder_.filePath("copy.json");
        QCOMPARE(runDoppler({"clusters", measured_, "-o", copy}).exitCode, 0);
        QFile a(measured_);
        QFile b(copy);
        QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
        QCOMPARE(b.readAll(), a.readAll());
    }

    void fidelityOfAnEmulatedMachine() {
        const QString table = folder_.filePath("table.csv");
        const ProgramRun run =
            runDoppler({"fidelity", "chainmm:size=tiny", "--cluster", measured_, "--runtime",
                        "emulated", "--assignments", "20", "--repeat", "5", "--json", "-o", table});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QJsonObject json = QJsonDocument::fromJson(run.out).object();
        QCOMPARE(json["emulated"].toBool(), true);
        QCOMPARE(json["costs"].toString(), QStringLiteral("profiled"));
        QCOMPARE(json["emulated_assignments"].toInt(), 20);
        QVERIFY(json["rows"][0]["emulated_ms"].toDouble() > 0);
        QVERIFY(!json.contains("measured") && !json["rows"][0].toObject().contains("measured_ms"));
        QCOMPARE(json["accepted_runs"].toInt(), 100);
        QVERIFY(json["median_error"].toDouble() < 0.05);
        QVERIFY(json["rank_correlation"].toDouble() > 0.9);
        QVERIFY(json["split_half_correlation"].isDouble());
        QFile file(table);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QCOMPARE(text.count('\n'), 21);
        // Nothing in it may look measured.
        QVERIFY2(text.startsWith("assignment,simulated_ns,emulated_ns,"), text.constData());
        QVERIFY(!text.contains("measured"));
    }

    void fidelityOfAnEmulatedMachineReadsSo() {
        const ProgramRun run =
            runDoppler({"fidelity", "chainmm:size=tiny", "--cluster", measured_, "--runtime",
                        "emulated", "--assignments", "3", "--repeat", "2"});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.out.contains("two halves of the emulated runs"), run.out.constData());
    }

    void aSimulatedTraceSaysWhatItsTimesAre() {
        const QString placement = folder_.filePath("simulated.json");
        const QString trace = folder_.filePath("simulated-trace.json");
        const QStringList problem{"chainmm:size=tiny", "--cluster", measured_, "--costs",
                                  "profiled"};
        QCOMPARE(runDoppler(QStringList{"place"} + problem +
                            QStringList{"--placer", "heft", "-o", placement})
                     .exitCode,
                 0);
        QCOMPARE(runDoppler(QStringList{"simulate"} + problem +
                            QStringList{"--assignment", placement, "--trace", trace})
                     .exitCode,
                 0);
        const QJsonObject facts = QJsonDocument::fromJson(contents(trace))["otherData"].toObject();
        QVERIFY(facts["notes"][0].toString().contains("nothing was measured"));
    }

    void fidelityOfThisMachineIsHonest() {
        const ProgramRun run =
            runDoppler({"fidelity", "chainmm:size=tiny", "--cluster", "cpu:2", "--assignments", "3",
                        "--repeat", "2", "--warm-up", "1", "--json"});
        if (run.exitCode == 4) {
            QVERIFY2(run.err.contains("machine not quiet"), run.err.constData());
            QVERIFY(run.out.isEmpty());
        } else {
            QVERIFY2(run.exitCode == 0, run.err.constData());
            QVERIFY(QJsonDocument::fromJson(run.out)["accepted_runs"].toInt() > 0);
        }
        QVERIFY2(run.err.contains("no measured times"), run.err.constData());
    }

    void timesOfAnotherRuntimeAreRefused() {
        const ProgramRun run = runDoppler(
            {"fidelity", "chainmm:size=tiny", "--cluster", measured_, "--runtime", "cpu"});
        QCOMPARE(run.exitCode, 3);
        QVERIFY2(run.err.contains("measured on the runtime emulated"), run.err.constData());
    }

    void timesOfAnotherMachineAreRefused_data() {
        QTest::addColumn<QStringList>("command");
        const QStringList problem{"chainmm:size=tiny", "--costs", "profiled"};
        QTest::newRow("place") << QStringList{"place"} + problem + QStringList{"--placer", "heft"};
        QTest::newRow("execute") << QStringList{"execute"} + problem +
                                        QStringList{"--placer", "heft", "--runtime", "cpu"};
        QTest::newRow("simulate") << QStringList{"simulate"} + problem +
                                         QStringList{"--assignment", "PLACEMENT"};
    }

    void timesOfAnotherMachineAreRefused() {
        QFETCH(QStringList, command);
        const QString foreign = folder_.filePath("foreign.json");
        QFile measured(measured_);
        QVERIFY(measured.open(QIODevice::ReadOnly));
        QByteArray text = measured.readAll();
        text.replace("\"runtime\": \"emulated\"", "\"runtime\": \"cpu\"");
        text.replace("\"emulated\": true", "\"emulated\": false");
        text.replace("\"processor\": \"\"", "\"processor\": \"abacus\"");
        text.replace("\"blas\": \"\"", "\"blas\": \"Slide rule\"");
        text.replace("\"blasThreads\": 0", "\"blasThreads\": 7");
        QFile file(foreign);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const QString placement = folder_.filePath("p.json");
        QCOMPARE(runDoppler({"place", "chainmm:size=tiny", "--cluster", "p100x4", "--costs",
                             "physical", "--placer", "single", "-o", placement})
                     .exitCode,
                 0);
        command.replaceInStrings(QStringLiteral("PLACEMENT"), placement);
        command += {"--cluster", foreign};
        const ProgramRun refused = runDoppler(command);
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.contains("7 BLAS threads"), refused.err.constData());
        const ProgramRun taken = runDoppler(command + QStringList{"--any-profile"});
        QVERIFY2(taken.exitCode == 0, taken.err.constData());
    }

    void timesOfAnUnknownRuntimeAreRefused() {
        QFile measured(measured_);
        QVERIFY(measured.open(QIODevice::ReadOnly));
        QByteArray text = measured.readAll();
        text.replace("\"runtime\": \"emulated\"", "\"runtime\": \"xyz\"");
        text.replace("\"emulated\": true", "\"emulated\": false");
        const QString odd = folder_.filePath("odd.json");
        QFile file(odd);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const ProgramRun run = runDoppler({"place", "chainmm:size=tiny", "--cluster", odd,
                                           "--costs", "profiled", "--placer", "heft"});
        QCOMPARE(run.exitCode, 3);
        QVERIFY2(run.err.contains("xyz") && run.err.contains("cpu, cuda, emulated"),
                 run.err.constData());
    }

    void disturbedMeasurementsAreTold() {
        QFile measured(measured_);
        QVERIFY(measured.open(QIODevice::ReadOnly));
        QByteArray text = measured.readAll();
        QVERIFY(text.contains("\"disturbedRuns\": 0"));
        text.replace("\"disturbedRuns\": 0", "\"disturbedRuns\": 5");
        const QString disturbed = folder_.filePath("disturbed.json");
        QFile file(disturbed);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const ProgramRun run = runDoppler({"place", "chainmm:size=tiny", "--cluster", disturbed,
                                           "--costs", "profiled", "--placer", "heft"});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.contains("while other programs ran, in 5 of"), run.err.constData());
    }

    void wrongUsage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("no file") << QStringList{"calibrate", "chainmm", "--cluster", "cpu:2"} << 2;
        QTest::newRow("no tensors")
            << QStringList{"calibrate", "random:ops=9", "--cluster", "cpu:2", "-o", "x.json"} << 3;
        QTest::newRow("one assignment")
            << QStringList{"fidelity", "chainmm", "--cluster", "cpu:2", "--assignments", "1"} << 2;
    }

    void wrongUsage() {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        const ProgramRun run = runDoppler(arguments);
        QVERIFY2(run.exitCode == exitCode, run.err.constData());
        QVERIFY(run.out.isEmpty());
        QVERIFY(!run.err.isEmpty());
    }

private:
    QTemporaryDir folder_;
    QString measured_;
    QJsonObject calibrated_;
};

QTEST_GUILESS_MAIN(TestCalibrateCommand)
#include "TestCalibrateCommand.moc"
