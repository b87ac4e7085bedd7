#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include "tests/support/RunProgram.h"

using namespace doppler::tests;

class TestTrainGeneralCommand : public QObject {
    Q_OBJECT

    const QTemporaryDir folder_;

    QString out() const { return folder_.filePath(QStringLiteral("gen.json")); }
    QByteArray state() const { return contents(out() + QStringLiteral(".state")); }

    QStringList arguments(const char* line) const {
        return QStringList{QStringLiteral("train-general"), QStringLiteral("--out"), out()} +
               words(QString::fromLatin1(line));
    }

    /// Runs that would take far longer than a test may, ended by Ctrl-C. Returns what they say.
    QByteArray interrupted(const char* line) const {
        QProcess training;
        training.setProcessChannelMode(QProcess::MergedChannels);
        training.start(QStringLiteral(DOPPLER_BINARY_DIR "/app/doppler"), arguments(line));
        if (!catchesSignals(training)) {
            return "never caught signals: " + training.readAll();
        }
        ::kill(static_cast<pid_t>(training.processId()), SIGINT);
        training.waitForFinished(60'000);
        return training.exitCode() == 128 + SIGINT ? training.readAll() : QByteArray("failed");
    }

    ProgramRun run(const char* line) const { return runDoppler(arguments(line)); }

    /// Where the first test did not run.
    bool isFinished() const {
        return QFile::exists(out()) ||
               run("--pool 20 --members 2 --seed 7 --budget 0.2s").exitCode == 0;
    }

private Q_SLOTS:
    // One training from its start to what comes after its end.
    void resumingNeedsNoOptionsOfTheStart() {
        QVERIFY(folder_.isValid());
        const QByteArray first = interrupted("--pool 20 --members 2 --seed 7 --budget 100min");
        QVERIFY2(first.contains("--resume goes on"), first.constData());
        const QByteArray second = interrupted("--resume --threads 1");
        QVERIFY2(second.contains("--resume goes on"), second.constData());
        QVERIFY2(state().contains("\"budgetSeconds\":6000.0"), state().constData());
        QVERIFY2(state().contains("\"pool\":20"), state().constData());

        const ProgramRun rest = run("--resume --members 2 --budget 0.2s --json");
        QVERIFY2(rest.exitCode == 0, rest.err.constData());
        QVERIFY2(rest.out.contains("\"complete\":true"), rest.out.constData());
        QVERIFY(rest.out.contains("\"members\":2"));
        QVERIFY(contents(out()).contains("Trained on 20 generated problems, seed 7"));
    }

    void otherOptionsThanTheStartsAreRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("pool") << "--pool" << QByteArray("--pool: found 30, expected 20, ");
        QTest::newRow("members") << "--members" << QByteArray("--members: found 30, expected 2, ");
        QTest::newRow("seed") << "--seed" << QByteArray("--seed: found 30, expected 7, ");
    }

    void otherOptionsThanTheStartsAreRefused() {
        QFETCH(QString, name);
        QFETCH(QByteArray, message);
        QVERIFY(isFinished());
        const QByteArray before = state();
        const ProgramRun refused =
            runDoppler(arguments("--resume") + QStringList{name, QStringLiteral("30")});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.contains(message), refused.err.constData());
        QCOMPARE(state(), before);
    }

    void aFinishedTrainingStaysAsItIs() {
        QVERIFY(isFinished());
        const QByteArray policies = contents(out());
        const QByteArray before = state();
        QVERIFY(!policies.isEmpty());
        for (const char* line : {"--resume", "--resume --budget 1h", "--resume --json"}) {
            const ProgramRun again = run(line);
            QVERIFY2(again.exitCode == 0, again.err.constData());
            QVERIFY2(again.err.contains("finished already"), again.err.constData());
            QCOMPARE(contents(out()), policies);
            QCOMPARE(state(), before);
        }
        // Nor does it trust what stands there: the state knows all members.
        QFile file(out());
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.close();
        QCOMPARE(run("--resume").exitCode, 0);
        QCOMPARE(contents(out()), policies);
    }
};

QTEST_GUILESS_MAIN(TestTrainGeneralCommand)
#include "TestTrainGeneralCommand.moc"
