#include <QTest>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "tests/support/RunProgram.h"

using namespace doppler::tests;

namespace {

constexpr int kPatienceMs = 120'000;
constexpr int kPipeBytes = 4096; // the least that there is

QString dopplerPath() {
    return QStringLiteral(DOPPLER_BINARY_DIR "/app/doppler");
}

/// A training that takes a few seconds.
QStringList training(const QString& directory) {
    return {"train",     "chainmm:size=tiny",
            "--cluster", "uniform:3",
            "--stages",  "imitation:20,simulation:6400",
            "--threads", "2",
            "--out",     directory,
            "--json"};
}

QStringList onSystem(const QString& directory, const QString& runtime) {
    return {"train",     "chainmm:size=tiny",
            "--cluster", "cpu:2",
            "--stages",  "imitation:4,simulation:8,system:16",
            "--batch",   "8",
            "--runtime", runtime,
            "--out",     directory,
            "--json"};
}

QJsonObject lastLine(const QByteArray& out) {
    return QJsonDocument::fromJson(out.trimmed().split('\n').last()).object();
}

} // namespace

class TestTrainCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void generalIsAStartAndACommand() {
        const QTemporaryDir dir;
        const ProgramRun run =
            runDoppler({"train", "ffnn:size=tiny", "--cluster", "uniform:2", "--init", "general",
                        "--policy-mode", "joint", "--stages", "imitation:5,simulation:128",
                        "--no-polish", "--out", dir.filePath("run"), "--json"});
        QCOMPARE(run.exitCode, 0);
        QVERIFY(lastLine(run.out).value("teacher").toDouble() > 0);
        QVERIFY(contents(dir.filePath("run/run.json")).contains("\"joint\""));

        // Another name of train-general, wherever the word stands.
        const ProgramRun general =
            runDoppler({"train", "--out", dir.filePath("general.json"), "--general", "--pool", "2",
                        "--members", "1", "--budget", "0.2s", "--json"});
        QCOMPARE(general.exitCode, 0);
        QVERIFY(contents(dir.filePath("general.json")).contains("doppler-policy/1"));
        QCOMPARE(runDoppler({"train", "--general", "ffnn"}).exitCode, 2);
    }

    void everyLineIsJsonAndTheLastIsTheResult() {
        const QTemporaryDir dir;
        const ProgramRun run =
            runDoppler({"train", "ffnn:size=tiny", "--cluster", "uniform:2", "--stages",
                        "imitation:10,simulation:256", "--out", dir.filePath("run"), "--json"});
        QCOMPARE(run.exitCode, 0);
        const QList<QByteArray> lines = run.out.trimmed().split('\n');
        QVERIFY(lines.size() >= 6);
        for (const QByteArray& line : lines) {
            const QJsonObject json = QJsonDocument::fromJson(line).object();
            QVERIFY2(json.contains("best") && json.contains("unit"), line);
        }
        const QJsonObject result = lastLine(run.out);
        for (const char* key : {"best", "policy", "greedy", "episodes", "episodes_per_second"}) {
            QVERIFY2(result.value(key).toDouble() > 0, key);
        }
        QVERIFY(result.value("best").toDouble() <= result.value("policy").toDouble());
        QVERIFY(result.value("policy").toDouble() <= result.value("greedy").toDouble());

        // The best placement is a file that other commands take, with the makespan that was said.
        const ProgramRun simulated =
            runDoppler({"simulate", "ffnn:size=tiny", "--cluster", "uniform:2", "--assignment",
                        dir.filePath("run/best.assignment.json"), "--json"});
        QCOMPARE(simulated.exitCode, 0);
        QCOMPARE(QJsonDocument::fromJson(simulated.out).object().value("makespan").toDouble(),
                 result.value("best").toDouble());

        // And the policy is one that places other graphs.
        const ProgramRun placed =
            runDoppler({"place", "chainmm:size=tiny", "--cluster", "uniform:4", "--placer",
                        "doppler", "--policy", dir.filePath("run/checkpoint.pt"), "--json"});
        QCOMPARE(placed.exitCode, 0);
        QVERIFY(QJsonDocument::fromJson(placed.out).object().value("makespan").toDouble() > 0);
    }

    void rateIsWhatTheStageBeginsWith() {
        const QTemporaryDir dir;
        const ProgramRun run = runDoppler(
            {"train", "ffnn:size=tiny", "--cluster", "uniform:2", "--preset", "paper", "--rate",
             "0.0002", "--stages", "simulation:60", "--out", dir.filePath("run"), "--json"});
        QCOMPARE(run.exitCode, 0);
        const QJsonObject first = QJsonDocument::fromJson(run.out.split('\n').first()).object();
        QCOMPARE(first.value("learning_rate").toDouble(), 0.0002);
    }

    void stageThreeOnTheEmulatedRuntimeSaysSo() {
        const QTemporaryDir dir;
        const ProgramRun run = runDoppler(onSystem(dir.filePath("run"), "emulated"));
        QVERIFY2(run.exitCode == 0, run.err);
        int judged = 0;
        for (const QByteArray& line : run.out.trimmed().split('\n')) {
            const QJsonObject json = QJsonDocument::fromJson(line).object();
            QVERIFY2(!json.contains("measured"), line);
            if (json.value("stage") == QJsonValue("system")) {
                ++judged;
                QCOMPARE(json.value("emulated").toBool(), true);
                QCOMPARE(json.value("emulated_makespans").toArray().size(), 8);
            } else if (json.contains("stage")) {
                QCOMPARE(json.value("emulated").toBool(true), false);
                QVERIFY(json.value("runtime").isNull());
            }
        }
        QCOMPARE(judged, 2);
        const QJsonObject result = lastLine(run.out);
        QCOMPARE(result.value("emulated").toBool(), true);
        QCOMPARE(result.value("runtime").toString(), QStringLiteral("emulated"));
        QVERIFY(!result.contains("bound") && !result.contains("gap"));

        QStringList asText = onSystem(dir.filePath("text"), "emulated");
        asText.removeAll("--json");
        const ProgramRun text = runDoppler(asText);
        QVERIFY2(text.out.contains("(emulated: no measurement)"), text.out);
        QVERIFY2(!text.out.contains("gap"), text.out);
    }

    void stageThreeOnTheCpuMeasures() {
        const QTemporaryDir dir;
        QStringList arguments = onSystem(dir.filePath("run"), "cpu");
        const ProgramRun refused = runDoppler(arguments + QStringList{"--costs", "published"});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.contains("use --costs physical or profiled"), refused.err);
        const ProgramRun run = runDoppler(arguments + QStringList{"--costs", "physical"});
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY(run.out.contains("\"measured\""));
        const QJsonObject result = lastLine(run.out);
        QCOMPARE(result.value("emulated").toBool(true), false);
        QCOMPARE(result.value("runtime").toString(), QStringLiteral("cpu"));
        QVERIFY(result.value("best").toDouble() > 0);
        QVERIFY(!result.contains("bound"));
    }

    // kill -9 in the middle, then --resume: the same episodes as without.
    void killedRunResumesToTheSameEpisodes() {
        const QTemporaryDir dir;
        QCOMPARE(runDoppler(training(dir.filePath("whole"))).exitCode, 0);

        QProcess killed;
        // The pipe holds a few lines only: the training waits for its reader, and cannot have ended
        // when it is killed.
        killed.setChildProcessModifier([] { ::fcntl(STDOUT_FILENO, F_SETPIPE_SZ, kPipeBytes); });
        killed.start(dopplerPath(), training(dir.filePath("killed")));
        QVERIFY(killed.waitForStarted(kPatienceMs));
        QByteArray out;
        while (out.count('\n') < 40) { // of about 120 lines
            QVERIFY(killed.waitForReadyRead(kPatienceMs) || killed.bytesAvailable() > 0);
            out += killed.readAllStandardOutput();
        }
        killed.kill();
        killed.waitForFinished(kPatienceMs);
        QVERIFY(contents(dir.filePath("killed/episodes.csv")) !=
                contents(dir.filePath("whole/episodes.csv")));

        const ProgramRun resumed =
            runDoppler(training(dir.filePath("killed")) + QStringList{"--resume"});
        QVERIFY2(resumed.exitCode == 0, resumed.err);
        QCOMPARE(contents(dir.filePath("killed/episodes.csv")),
                 contents(dir.filePath("whole/episodes.csv")));
        QVERIFY(!contents(dir.filePath("whole/episodes.csv")).isEmpty());
    }

    void resumedStageThreeKnowsItsRuntime() {
        const QTemporaryDir dir;
        const QString folder = dir.filePath("run");
        QCOMPARE(runDoppler(onSystem(folder, "emulated")).exitCode, 0);
        const QStringList again = {"train", "chainmm:size=tiny", "--cluster", "cpu:2", "--out",
                                   folder,  "--resume",          "--json"};
        const ProgramRun resumed = runDoppler(again);
        QVERIFY2(resumed.exitCode == 0, resumed.err);
        QCOMPARE(lastLine(resumed.out).value("runtime").toString(), QStringLiteral("emulated"));

        const std::pair<QStringList, QByteArray> wrong[] = {
            {{"--repeats", "5"}, "--repeats"},          {{"--seed", "2"}, "--seed"},
            {{"--stages", "simulation:8"}, "--stages"}, {{"--rate", "0.01"}, "--rate"},
            {{"--runtime", "cpu"}, "--runtime"},
        };
        for (const auto& [more, says] : wrong) {
            const ProgramRun run = runDoppler(again + more);
            QCOMPARE(run.exitCode, 2);
            QVERIFY2(run.err.contains(says + " is not what the run"), run.err);
        }
        QStringList elsewhere = again;
        elsewhere.replaceInStrings("cpu:2", "uniform:2");
        const ProgramRun run = runDoppler(elsewhere);
        QCOMPARE(run.exitCode, 3);
        QVERIFY2(run.err.contains("of another problem"), run.err);
    }

    void noPlacementThatRunsIsAFailure() {
        const QTemporaryDir dir;
        const QString cluster = dir.filePath("small.json");
        const ProgramRun printed = runDoppler({"clusters", "cpu:2", "--json"});
        QCOMPARE(printed.exitCode, 0);
        QJsonObject json = QJsonDocument::fromJson(printed.out).object();
        QJsonArray devices = json.value("devices").toArray();
        for (int i = 0; i < devices.size(); ++i) {
            QJsonObject device = devices[i].toObject();
            device["capacityBytes"] = 1000;
            devices[i] = device;
        }
        json["devices"] = devices;
        QFile file(cluster);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(json).toJson()) > 0);
        file.close();
        QStringList arguments = onSystem(dir.filePath("run"), "emulated");
        arguments.replaceInStrings("cpu:2", cluster);
        const ProgramRun run = runDoppler(arguments + QStringList{"--costs", "physical"});
        QCOMPARE(run.exitCode, 4);
        QVERIFY2(run.err.contains("could run: ") && run.err.contains("lacks"), run.err);
        for (const QByteArray& line : run.out.trimmed().split('\n')) {
            const QJsonObject update = QJsonDocument::fromJson(line).object();
            for (const QJsonValue& makespan : update.value("emulated_makespans").toArray()) {
                QVERIFY2(makespan.isNull(), line);
            }
        }
    }

    void wrongRequestsAreOneMessage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("says");
        const QStringList base = {"train", "chainmm:size=tiny", "--cluster", "uniform:2",
                                  "--out", "nowhere/that/is"};
        QTest::newRow("no stages") << base + QStringList{"--stages", "often:3"} << 2 << "imitation";
        QTest::newRow("empty stages") << base + QStringList{"--stages", ""} << 2 << "imitation";
        QTest::newRow("nothing that executes")
            << base + QStringList{"--stages", "system:3"} << 2 << "--runtime";
        QTest::newRow("nothing to execute")
            << base + QStringList{"--runtime", "emulated"} << 2 << "stage system";
        QTest::newRow("nothing to repeat")
            << base + QStringList{"--repeats", "3"} << 2 << "stage system runs an episode";
        QTest::newRow("nothing with a rate")
            << base + QStringList{"--rate", "0.01", "--stages", "imitation:5"} << 2
            << "has neither";
        QTest::newRow("folder below a file")
            << base.mid(0, base.size() - 1) + QStringList{"FOLDER/file/run"} << 3
            << "found a file on the way";
        QTest::newRow("policies in a folder")
            << QStringList{"train", "--general", "--budget", "10min", "--out", "FOLDER"} << 4
            << "cannot write";
        for (const char* rate : {"0", "2", "nan", "fast"}) {
            QTest::newRow(rate) << base + QStringList{"--rate", rate} << 2 << "--rate";
        }
        QTest::newRow("nothing to resume") << base + QStringList{"--resume"} << 3 << "found none";
        QTest::newRow("no folder")
            << QStringList{"train", "chainmm:size=tiny", "--cluster", "uniform:2", "--out", ""} << 2
            << "--out";
        QTest::newRow("no checkpoint")
            << base + QStringList{"--init", "missing.pt"} << 3 << "missing.pt";
        QTest::newRow("nothing to learn from the general policies")
            << base + QStringList{"--init", "general", "--stages", "simulation:8"} << 2
            << "stage imitation";
        QTest::newRow("policy without its placer")
            << QStringList{"place",     "chainmm:size=tiny", "--cluster",
                           "uniform:2", "--placer",          "doppler"}
            << 2 << "--policy";
    }

    void wrongRequestsAreOneMessage() {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QString, says);
        const QTemporaryDir dir;
        arguments.replaceInStrings("nowhere/that/is", dir.filePath("run"));
        arguments.replaceInStrings("FOLDER", dir.path());
        QFile file(dir.filePath("file"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const ProgramRun run = runDoppler(arguments);
        QCOMPARE(run.exitCode, exitCode);
        QVERIFY2(QString::fromUtf8(run.err).contains(says), run.err);
        QVERIFY(!QFile::exists(dir.filePath("run/checkpoint.pt")));
    }
};

QTEST_GUILESS_MAIN(TestTrainCommand)
#include "TestTrainCommand.moc"
