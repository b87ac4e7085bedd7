#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QSlider>

#include "core/graph/InputError.h"
#include "tests/support/WindowFixture.h"
#include "views/training/TrainingCurve.h"
#include "views/training/TrainingDock.h"
#include "views/training/TrainingRuns.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::WindowFixture;

namespace {

constexpr int kLongMs = 300'000; // trainings give way to whatever else runs

/// Small and short: what is tested is the window, not the learning.
TrainingSettings shortRun(WindowFixture& f, const QString& folder) {
    TrainingSettings settings;
    // Its teacher is a rule, not a search that takes seconds.
    settings.preset = QStringLiteral("paper");
    settings.stages = QStringLiteral("imitation:10,simulation:60");
    settings.budgetSeconds = 0;
    settings.polish = false;
    settings.folder = f.file(folder);
    return settings;
}

/// Goes on until it is stopped: this preset does not end where nothing improves.
TrainingSettings longRun(WindowFixture& f, const QString& folder) {
    TrainingSettings settings = shortRun(f, folder);
    settings.stages = QStringLiteral("simulation:100000000");
    return settings;
}

bool untilUpdates(TrainingRun* run, std::int64_t updates) {
    return QTest::qWaitFor(
        [=] { return run->facts() != nullptr && run->facts()->update >= updates; }, kLongMs);
}

bool untilEnded(TrainingRuns& runs) {
    return QTest::qWaitFor([&] { return runs.active() == nullptr; }, kLongMs);
}

/// Where pictures go for people to look at; empty: nowhere.
void picture(WindowFixture& f, const QString& name) {
    const QString folder = qEnvironmentVariable("DOPPLER_TEST_PICTURES");
    if (!folder.isEmpty()) {
        for (const bool dark : {true, false}) {
            f.appearance.setDark(dark);
            QTest::qWait(200); // some redraw in the background
            f.window->grab().save(folder + (dark ? QStringLiteral("/dark-") : QStringLiteral("/")) +
                                  name);
        }
    }
}

} // namespace

class TestTrainingDock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCurveWithoutRoomPaintsNothing() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("QPainter|paint buffer")));
        Appearance appearance;
        TrainingCurve curve(appearance);
        curve.resize(300, 200);
        curve.show();
        QVERIFY(QTest::qWaitForWindowExposed(&curve));
        QResizeEvent closed(QSize(300, 0), curve.size());
        curve.setGeometry(0, 0, 300, 0);
        QCoreApplication::sendEvent(&curve, &closed);
        QTest::qWait(1);
    }

    void aRunEndsInARowOfThePlacements() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        TrainingRun* run = runs.start(shortRun(f, QStringLiteral("run")));
        QVERIFY(run != nullptr);
        picture(f, QStringLiteral("training-start.png"));
        QVERIFY(untilEnded(runs));
        QCOMPARE(run->state(), RunState::Ended);
        QVERIFY2(run->result()->episodes >= 70, qPrintable(run->stateText()));
        QCOMPARE(run->curve().episodeCount(), run->result()->episodes);
        QCOMPARE(run->curve().stages().size(), std::size_t(2));
        QVERIFY(!run->bests().empty());
        const Placement* row = f.workspace().current(); // followed
        QCOMPARE(row->method, QStringLiteral("doppler"));
        QCOMPARE(row->makespan(), run->result()->problems.front().best);
        QCOMPARE(run->facts()->best, row->makespan()); // the figures say the same
        QCOMPARE(run->facts()->policyBest, run->result()->problems.front().policy);
        QVERIFY(!f.workspace().isModified());
        picture(f, QStringLiteral("training-end.png"));
    }

    void pausesAndStops() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        TrainingRun* run = runs.start(longRun(f, QStringLiteral("run")));
        QVERIFY(runs.start(longRun(f, QStringLiteral("second"))) == nullptr); // one at a time
        QVERIFY(untilUpdates(run, 3));
        picture(f, QStringLiteral("training-middle.png"));
        runs.setPaused(true);
        QCOMPARE(run->state(), RunState::Paused);
        run->takeNews();                                    // what was told before the pause
        const std::int64_t last = run->facts()->update + 1; // at most: the one that was in progress
        QTest::qWait(500);
        QVERIFY(run->facts()->update <= last);
        picture(f, QStringLiteral("training-paused.png"));
        runs.setPaused(false);
        QVERIFY(untilUpdates(run, last + 2));
        runs.stop();
        QCOMPARE(run->state(), RunState::Stopping);
        QVERIFY(untilEnded(runs));
        QCOMPARE(run->result()->reason, learn::EndReason::Stopped);
        QVERIFY(QFile::exists(f.file(QStringLiteral("run/run.json"))));
    }

    void selectingAnotherRowEndsTheFollowing() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        TrainingRun* run = runs.start(longRun(f, QStringLiteral("run")));
        QVERIFY(
            QTest::qWaitFor([&] { return f.workspace().current()->method == "doppler"; }, kLongMs));
        const int other = f.workspace().placements().front().id;
        f.workspace().setCurrent(other);
        QCOMPARE(runs.follow(), Follow::Nothing);
        QVERIFY(untilUpdates(run, run->facts()->update + 3));
        QCOMPARE(f.workspace().currentId(), other);
        runs.setFollow(Follow::Latest);
        QVERIFY(QTest::qWaitFor([&] { return f.workspace().current()->method == "doppler latest"; },
                                kLongMs));
        runs.stop();
        QVERIFY(untilEnded(runs));
    }

    void anotherGraphStopsTheRun() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        TrainingRun* run = runs.start(longRun(f, QStringLiteral("run")));
        QVERIFY(untilUpdates(run, 2));
        f.window->documents().open(QStringLiteral("chainmm"));
        QVERIFY(untilEnded(runs));
        QVERIFY(!run->isActive());
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().problem()->opCount(), 76);
    }

    void anotherClusterStopsTheRun() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        TrainingRun* run = runs.start(longRun(f, QStringLiteral("run")));
        QVERIFY(untilUpdates(run, 2));
        Workspace& workspace = f.workspace();
        workspace.changeProblem(
            std::make_shared<const cluster::Cluster>(cluster::uniformCluster(2)),
            QStringLiteral("uniform:2"), workspace.costModel(), workspace.problem()->options);
        QVERIFY(untilEnded(runs));
        QVERIFY(f.settle());
        for (const DeviceId device : *workspace.current()->assignment) {
            QVERIFY(device < 2);
        }
        QCOMPARE(run->result()->reason, learn::EndReason::Stopped);
    }

    void newPinsStopTheRunAndKeepItsBest() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        TrainingRun* run = runs.start(longRun(f, QStringLiteral("run")));
        QVERIFY(QTest::qWaitFor([&] { return !run->bests().empty(); }, kLongMs));
        f.workspace().setPinned({OpId(0)}, true);
        QVERIFY(untilEnded(runs));
        QVERIFY(f.settle());
        bool kept = false;
        for (const Placement& row : f.workspace().placements()) {
            kept =
                kept || (row.method == "doppler" && row.makespan() == run->bests().back().makespan);
        }
        QVERIFY(kept);
    }

    void aRunGoesOnWithWhatItWasStartedWith() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        TrainingSettings settings = longRun(f, QStringLiteral("run"));
        TrainingRun* first = runs.start(settings);
        QVERIFY(untilUpdates(first, 3));
        runs.stop();
        QVERIFY(untilEnded(runs));
        const std::int64_t made = first->result()->updates;
        settings.resume = true;
        settings.stages = QStringLiteral("imitation:1"); // ignored: the run knows better
        TrainingRun* second = runs.start(settings);
        QCOMPARE(second->options().stages, first->options().stages);
        QVERIFY(untilUpdates(second, made + 1));
        runs.stop();
        QVERIFY(untilEnded(runs));
        QVERIFY2(second->result() != nullptr, qPrintable(second->stateText()));
        QVERIFY(second->result()->updates > made);
        settings.budgetSeconds = 1;
        TrainingRun* third = runs.start(settings);
        QVERIFY(third->secondsBefore() > 0);
        QVERIFY(untilEnded(runs));
        QVERIFY2(third->result() != nullptr, qPrintable(third->stateText()));
        QCOMPARE(third->result()->reason, learn::EndReason::Budget);
        // Its budget is from now on, however much is trained in it.
        QVERIFY(third->result()->seconds >= settings.budgetSeconds + third->secondsBefore());
    }

    void stageThreeRunsOnATestbed() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        TrainingSettings settings = shortRun(f, QStringLiteral("run"));
        settings.stages = QStringLiteral("simulation:32,system:32");
        QVERIFY_EXCEPTION_THROWN(settings.options(), InputError); // on what?
        settings.systemEvaluator = QStringLiteral("emulated");
        TrainingRun* run = runs.start(settings);
        QVERIFY(untilEnded(runs));
        QVERIFY2(run->result() != nullptr, qPrintable(run->stateText()));
        QCOMPARE(run->curve().stages().back().stage, learn::Stage::System);
    }

    void whatIsWorthKnowingIsShown() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        TrainingSettings settings = shortRun(f, QStringLiteral("run"));
        settings.preset = QStringLiteral("fast");
        settings.stages = QStringLiteral("simulation:65"); // not a multiple of the batch
        TrainingRun* run = runs.start(settings);
        const auto* notes = f.window->trainingDock().findChild<QLabel*>(QStringLiteral("notes"));
        QVERIFY(notes->isHidden());
        QVERIFY(untilEnded(runs));
        QVERIFY2(run->result() != nullptr, qPrintable(run->stateText()));
        QVERIFY(!notes->isHidden());
        QVERIFY2(notes->text().contains(QStringLiteral("an update takes 64")),
                 qPrintable(notes->text()));
        QVERIFY(notes->text().front().isUpper());
        picture(f, QStringLiteral("training-notes.png"));
    }

    void closingTheWindowStopsTheRun() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRun* run = f.window->trainings().start(longRun(f, QStringLiteral("run")));
        QVERIFY(untilUpdates(run, 2));
        f.window.reset(); // joins its threads; nothing may touch what is gone
    }

    void aRunThatCannotBeSaysWhy() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        TrainingSettings settings = shortRun(f, QStringLiteral("run"));
        settings.init = f.write(QStringLiteral("no.pt"), "this is no checkpoint");
        TrainingRun* run = runs.start(settings);
        QVERIFY(untilEnded(runs));
        QCOMPARE(run->state(), RunState::Failed);
        QVERIFY2(run->stateText().contains(QStringLiteral("no.pt")), qPrintable(run->stateText()));
        picture(f, QStringLiteral("training-failed.png"));
        auto* state = f.window->trainingDock().findChild<QLabel*>(QStringLiteral("state"));
        const QImage image = state->grab().toImage();
        const QRgb bad = state->palette().color(QPalette::BrightText).rgb();
        bool shown = false;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                shown = shown || image.pixel(x, y) == bad;
            }
        }
        QVERIFY(shown);
    }

    void thePastCanBeShownAgain() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        TrainingRun* run = runs.start(shortRun(f, QStringLiteral("run")));
        QVERIFY(untilEnded(runs));
        const std::size_t count = run->bests().size();
        QVERIFY(count >= 1);
        runs.showBest(*run, 0);
        QCOMPARE(*f.workspace().current()->assignment, *run->bests().front().assignment);
        runs.showBest(*run, count - 1);
        QCOMPARE(*f.workspace().current()->assignment, *run->bests().back().assignment);
    }

    void theCurveIsExported() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("ffnn")));
        TrainingRuns& runs = f.window->trainings();
        runs.start(shortRun(f, QStringLiteral("run")));
        QVERIFY(untilEnded(runs));
        QString error;
        for (const char* name : {"curve.csv", "curve.png", "curve.svg", "curve.pdf"}) {
            const QString path = f.file(QLatin1String(name));
            QVERIFY2(f.window->trainingDock().exportCurve(path, &error), qPrintable(error));
            QVERIFY(QFileInfo(path).size() > 500);
        }
        QVERIFY(!f.window->trainingDock().exportCurve(f.file(QStringLiteral("curve.doc")), &error));
        QVERIFY(error.contains(QStringLiteral(".png")));
    }
};

QTEST_MAIN(TestTrainingDock)
#include "TestTrainingDock.moc"
