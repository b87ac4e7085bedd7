#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/RunProgram.h"

using namespace doppler::tests;

/// What `doppler` writes to files and to stdout, and what it does where it cannot.
class TestOutputFiles : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString placement_;

    QStringList argumentsOf(QString line) const {
        return words(line.replace(QLatin1String("PLACEMENT"), placement_)
                         .replace(QLatin1String("FOLDER"), folder_.path()));
    }

private Q_SLOTS:
    void initTestCase() {
        placement_ = folder_.filePath(QStringLiteral("placement.json"));
        const ProgramRun run = runDoppler(
            words(QStringLiteral("place chainmm:size=tiny --cluster p100x4 --placer heft -o ")) +
            QStringList{placement_});
        QVERIFY2(run.exitCode == 0, run.err.constData());
    }

    void aPathIsCheckedBeforeTheWork_data() {
        QTest::addColumn<QString>("line");
        // With work that would take far longer than a test may.
        for (const char* line :
             {"place chainmm --cluster uniform:4 --placer anneal --budget 30min -o",
              "execute chainmm:size=tiny --cluster p100x4 --placer anneal --budget 30min --trace",
              "execute chainmm:size=tiny --cluster p100x4 --placer anneal --budget 30min -o",
              "fidelity chainmm --cluster p100x4 --runtime emulated --assignments 100000 -o",
              "calibrate chainmm --cluster p100x4 --runtime emulated --repeat 100000 -o",
              "compare chainmm --cluster uniform:4 --placers anneal --budget 30min -o",
              "simulate chainmm:size=tiny --cluster p100x4 --assignment PLACEMENT "
              "--runs 1000000 --noise 0.1 --trace",
              "graph chainmm -o", "clusters p100x4 -o"}) {
            QTest::newRow(line) << QString::fromLatin1(line);
        }
    }

    void aPathIsCheckedBeforeTheWork() {
        QFETCH(QString, line);
        const ProgramRun run =
            runDoppler(argumentsOf(line) + QStringList{QStringLiteral("/no/such/folder/x.json")});
        QVERIFY2(run.exitCode == 4, run.err.constData());
        QVERIFY2(run.err.contains("cannot write \"/no/such/folder/x.json\""), run.err.constData());
        QVERIFY(run.out.isEmpty());
    }

    void aDeviceMapIsRefusedBeforeTheSearch() {
        const QString graph = folder_.filePath(QStringLiteral("twins.json"));
        QFile file(graph);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"format": "doppler-graph/1", "ops": [{"name": "a", "flops": 9},
                       {"name": "a", "flops": 9}], "edges": [[0, 1]]})");
        file.close();
        const ProgramRun run = runDoppler(
            {QStringLiteral("place"), graph, QStringLiteral("--cluster"),
             QStringLiteral("uniform:4"), QStringLiteral("--placer"), QStringLiteral("anneal"),
             QStringLiteral("--budget"), QStringLiteral("30min"), QStringLiteral("-o"),
             folder_.filePath(QStringLiteral("twins.map"))});
        QVERIFY2(run.exitCode == 3, run.err.constData());
        QVERIFY2(run.err.contains("two ops called \"a\""), run.err.constData());
        QVERIFY(!QFile::exists(folder_.filePath(QStringLiteral("twins.map"))));
    }

    void aFailedWriteLeavesTheResult_data() {
        QTest::addColumn<QString>("line");
        for (const char* line :
             {"place chainmm --cluster uniform:4 --placer heft --format json",
              "execute chainmm:size=tiny --cluster p100x4 --placer heft --runtime emulated "
              "--format csv",
              "execute chainmm:size=tiny --cluster p100x4 --placer heft --runtime emulated "
              "--trace /dev/full -o FOLDER/written.json",
              "fidelity chainmm:size=tiny --cluster p100x4 --runtime emulated --assignments 3 "
              "--repeat 2 --format json",
              "compare chainmm --cluster uniform:4 --placers heft --format csv",
              "simulate chainmm:size=tiny --cluster p100x4 --assignment PLACEMENT --format csv",
              "graph chainmm --format json"}) {
            QTest::newRow(line) << QString::fromLatin1(line);
        }
    }

    void aFailedWriteLeavesTheResult() {
        QFETCH(QString, line);
        QStringList arguments = argumentsOf(line) + QStringList{QStringLiteral("--json")};
        if (!arguments.contains(QStringLiteral("-o"))) {
            arguments += {QStringLiteral("-o"), QStringLiteral("/dev/full")};
        }
        const ProgramRun run = runDoppler(arguments);
        QVERIFY2(run.exitCode == 4, run.err.constData());
        QVERIFY2(run.err.contains("cannot write \"/dev/full\""), run.err.constData());
        QVERIFY(!QJsonDocument::fromJson(run.out).object().isEmpty());
    }

    void aLimitOfFileSizesIsAFailure() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("large.json"));
        const ProgramRun run =
            runWithSmallFiles(QStringLiteral("doppler"),
                              words(QStringLiteral("graph chainmm -o ")) + QStringList{path});
        QVERIFY2(run.exitCode == 4, run.err.constData());
        QVERIFY2(run.err.contains("cannot write \"" + path.toUtf8() + "\": File too large"),
                 run.err.constData());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList());
    }

    void aFullStdoutIsAFailure_data() {
        QTest::addColumn<QString>("line");
        for (const char* line : {"--help", "info --json", "clusters", "graph chainmm",
                                 "place chainmm --cluster uniform:4 --placer heft"}) {
            QTest::newRow(line) << QString::fromLatin1(line);
        }
    }

    void aFullStdoutIsAFailure() {
        QFETCH(QString, line);
        QProcess process;
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start(QStringLiteral(DOPPLER_BINARY_DIR "/app/doppler"), words(line));
        QVERIFY(process.waitForFinished(120'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 4);
        const QByteArray error = process.readAllStandardError();
        QVERIFY2(error.contains("cannot be written to stdout"), error.constData());
    }

    void inputsAreNotWrittenOver_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* line, const char* message) {
            QTest::newRow(line) << QString::fromLatin1(line) << QByteArray(message);
        };
        row("execute FOLDER/g.json --cluster p100x4 --runtime emulated --placer heft "
            "--trace FOLDER/g.json",
            "over the graph");
        row("execute chainmm:size=tiny --cluster FOLDER/c.json --placer heft -o FOLDER/./c.json",
            "over the cluster");
        row("simulate FOLDER/g.json --cluster p100x4 --assignment PLACEMENT -o FOLDER/g.json",
            "over the graph");
        row("fidelity chainmm:size=tiny --cluster FOLDER/c.json -o FOLDER/c.json",
            "over the cluster");
        row("calibrate chainmm:size=tiny --cluster FOLDER/c.json -o FOLDER/c.json",
            "over the cluster");
        row("place FOLDER/g.json --cluster p100x4 --placer heft -o FOLDER/g.json",
            "over the graph");
        row("place FOLDER/m.json:batch=2 --cluster p100x4 --placer heft -o FOLDER/m.json",
            "over the graph");
        row("place chainmm:size=tiny --cluster FOLDER/c.json --placer heft -o FOLDER/c.json",
            "over the cluster");
        row("compare chainmm:size=tiny@FOLDER/c.json --placers heft -o FOLDER/c.json",
            "over the graph");
        row("compare chainmm --cluster uniform:4 --placers heft --resume FOLDER/r.json "
            "-o FOLDER/r.json",
            "over the runs");
        row("simulate chainmm:size=tiny --cluster p100x4 --assignment PLACEMENT "
            "--sim FOLDER/s.json -o FOLDER/s.json",
            "over the options");
        row("render FOLDER/g.svg --cluster p100x4 -o FOLDER/g.svg", "over the graph");
    }

    void inputsAreNotWrittenOver() {
        QFETCH(QString, line);
        QFETCH(QByteArray, message);
        const QString input = argumentsOf(line).last();
        QFile file(input);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("of use");
        file.close();
        const ProgramRun run = runDoppler(argumentsOf(line));
        QVERIFY2(run.exitCode == 2, run.err.constData());
        QVERIFY2(run.err.contains("would be written " + message), run.err.constData());
        QCOMPARE(contents(input), QByteArray("of use"));
    }

    // What comes out holds what went in.
    void filesAreConvertedInPlace() {
        const auto inPlace = [this](const QString& command, const QString& source) {
            const QString path = folder_.filePath(command + QStringLiteral(".json"));
            const QStringList output{QStringLiteral("-o"), path};
            runDoppler(QStringList{command, source} + output);
            const QByteArray before = contents(path);
            const ProgramRun run = runDoppler(QStringList{command, path} + output);
            return run.exitCode == 0 && !before.isEmpty() && contents(path) == before;
        };
        QVERIFY(inPlace(QStringLiteral("graph"), QStringLiteral("chainmm:size=tiny")));
        QVERIFY(inPlace(QStringLiteral("clusters"), QStringLiteral("p100x4")));
    }

    void filesAreNotMixedUp_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* line, const char* message) {
            QTest::newRow(line) << QString::fromLatin1(line) << QByteArray(message);
        };
        const QByteArray simulate =
            "simulate chainmm:size=tiny --cluster p100x4 --assignment PLACEMENT ";
        const QByteArray execute =
            "execute chainmm:size=tiny --cluster p100x4 --runtime emulated --assignment PLACEMENT ";
        for (const QByteArray& command : {simulate, execute}) {
            row((command + "-o PLACEMENT").constData(), "over the placement");
            row((command + "--trace FOLDER/./placement.json").constData(), "over the placement");
            row((command + "-o FOLDER/x.json --trace FOLDER/./x.json").constData(),
                "name the same file");
            row((command + "--trace ./none-yet.json -o none-yet.json").constData(),
                "name the same file");
            row((command + "--trace -").constData(), "expected a file name");
            row((command + "--format csv -o -").constData(), "expected a file name");
        }
    }

    void filesAreNotMixedUp() {
        QFETCH(QString, line);
        QFETCH(QByteArray, message);
        const QByteArray before = contents(placement_);
        const ProgramRun run = runDoppler(argumentsOf(line));
        QVERIFY2(run.exitCode == 2, run.err.constData());
        QVERIFY2(run.err.contains(message), run.err.constData());
        QCOMPARE(contents(placement_), before);
        QVERIFY(!QFile::exists(folder_.filePath(QStringLiteral("x.json"))));
    }
};

QTEST_GUILESS_MAIN(TestOutputFiles)
#include "TestOutputFiles.moc"
