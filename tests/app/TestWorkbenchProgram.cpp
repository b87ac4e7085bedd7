#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/RunProgram.h"

using namespace doppler::tests;

namespace {

struct Outcome {
    int code = -1;
    QString output;
    QString errors;
};

/// Runs the real program where no display is to be found.
Outcome runWithoutDisplay(const QStringList& arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        environment.remove(QString::fromLatin1(name));
    }
    QTemporaryDir home;
    environment.insert(QStringLiteral("HOME"), home.path());
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(DOPPLER_BINARY_DIR "/app/doppler-workbench"), arguments);
    process.waitForFinished(-1);
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class TestWorkbenchProgram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helpAndVersionNeedNoDisplay() {
        QCOMPARE(runWithoutDisplay({QStringLiteral("--help")}).code, 0);
        const Outcome version = runWithoutDisplay({QStringLiteral("--version")});
        QCOMPARE(version.code, 0);
        QVERIFY(version.output.contains(QStringLiteral("doppler-workbench")));
    }

    void theWindowSaysThatThereIsNoDisplay() {
        const Outcome outcome = runWithoutDisplay({});
        QCOMPARE(outcome.code, 4);
        QVERIFY2(outcome.errors.contains(QStringLiteral("no display")), qPrintable(outcome.errors));
    }

    void snapshotsAreWrittenWithoutADisplay() {
        QTemporaryDir folder;
        const Outcome outcome =
            runWithoutDisplay({QStringLiteral("--snapshots"), folder.path(),
                               QStringLiteral("--placers"), QStringLiteral("single,heft")});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.errors));
        for (const char* name : {"window.png", "window-dark.png", "graph.png", "gantt.png",
                                 "experiments.png", "experiments-dark.png"}) {
            const QImage picture(folder.filePath(QString::fromLatin1(name)));
            QVERIFY2(picture.width() > 300 && picture.height() > 100, name);
        }
        for (const char* name :
             {"graph.svg", "gantt.svg", "experiments.svg", "placements.csv", "placements.txt"}) {
            QVERIFY2(QFileInfo(folder.filePath(QString::fromLatin1(name))).size() > 100, name);
        }
    }

    void aLimitOfFileSizesIsAFailure() {
        QTemporaryDir folder;
        const ProgramRun run =
            runWithSmallFiles(QStringLiteral("doppler-workbench"),
                              {QStringLiteral("--snapshots"), folder.path(),
                               QStringLiteral("--placers"), QStringLiteral("single")});
        QVERIFY2(run.exitCode == 4, run.err.constData());
        QVERIFY2(run.err.contains("cannot be written"), run.err.constData());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList());
    }

    void theTrainedPlacerSaysWhatTakesIt() {
        const Outcome outcome =
            runWithoutDisplay({QStringLiteral("--snapshots"), QStringLiteral("never-made"),
                               QStringLiteral("--placers"), QStringLiteral("heft,doppler")});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.errors.contains(QStringLiteral("--placers: found \"doppler\"")) &&
                     outcome.errors.contains(QStringLiteral("--policy CHECKPOINT")),
                 qPrintable(outcome.errors));
    }

    void badInputIsNamed() {
        QTemporaryDir folder;
        const Outcome outcome = runWithoutDisplay(
            {QStringLiteral("--snapshots"), folder.path(), QStringLiteral("/no/such/graph.txt")});
        QCOMPARE(outcome.code, 3);
        QVERIFY2(outcome.errors.contains(QStringLiteral("/no/such/graph.txt")),
                 qPrintable(outcome.errors));
    }
};

QTEST_GUILESS_MAIN(TestWorkbenchProgram)
#include "TestWorkbenchProgram.moc"
