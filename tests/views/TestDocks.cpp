#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

#include "core/graph/Topology.h"
#include "core/place/Registry.h"
#include "core/workload/Workload.h"
#include "tests/support/SampleWorkspaces.h"
#include "views/docks/BestMoves.h"
#include "views/docks/BestMovesList.h"
#include "views/docks/Inspector.h"
#include "views/docks/InspectorFacts.h"
#include "views/docks/PlacementsView.h"
#include "views/docks/WhatIfBars.h"
#include "views/docks/WhyText.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::openChain;
using doppler::tests::roundRobin;

namespace {

QString allText(const QWidget& widget) {
    QString text;
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        if (label->isVisibleTo(&widget)) {
            text += label->text() + QChar(u'\n');
        }
    }
    return text;
}

/// Adds the placement that puts everything on device 0: many moves improve it.
int showSingle(Workspace& workspace) {
    return workspace.addPlacement(
        sim::Assignment(static_cast<std::size_t>(workspace.problem()->opCount()), 0),
        QStringLiteral("single"), 1, 0.0);
}

} // namespace

class TestDocks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void placementsModelKeepsItsPromises() {
        Workspace workspace;
        Appearance appearance;
        PlacementsModel model(workspace, appearance);
        QAbstractItemModelTester tester(&model);
        openChain(workspace);
        workspace.assign({0}, 3);
        QCOMPARE(model.rowCount(), 2);
        workspace.undoStack().undo();
        QCOMPARE(model.rowCount(), 1);
        workspace.close();
        QCOMPARE(model.rowCount(), 0);
    }

    void factsOfALargeGraphFollow() {
        Workspace workspace;
        Appearance appearance;
        Inspector inspector(workspace, appearance);
        const auto graph = workload::generate("random:ops=30000");
        const auto problem = sim::makeProblem(
            graph, std::make_shared<const cluster::Cluster>(cluster::uniformCluster(2)),
            cost::CostModel::Physical, {});
        for (int time = 0; time < 2; ++time) { // the same graph again is looked at again
            workspace.open(problem, QStringLiteral("random"), QStringLiteral("uniform:2"),
                           cost::CostModel::Physical);
            QTRY_VERIFY(allText(inspector).contains(QStringLiteral("30,000 ops")));
            const QString levels =
                QStringLiteral(", %1 levels").arg(graph::graphFacts(*graph).depth);
            QTRY_VERIFY_WITH_TIMEOUT(allText(inspector).contains(levels), 60'000);
            workspace.close();
        }
    }

    void otherObjectivesAreNamed() {
        Workspace workspace;
        Appearance appearance;
        PlacementsModel model(workspace, appearance);
        openChain(workspace);
        const FoundObjective objective{QStringLiteral("p95:32"), 0.2, 1'500'000};
        workspace.addPlacement(*workspace.current()->assignment, QStringLiteral("anneal"), 1, 0,
                               true, true, objective);
        const auto text = [&](int row, int role) {
            return model.index(row, PlacementsModel::Method).data(role).toString();
        };
        QCOMPARE(text(1, Qt::DisplayRole), QStringLiteral("anneal, p95:32, noise 0.2"));
        QVERIFY(text(1, Qt::ToolTipRole).contains(QStringLiteral("found for p95:32, noise 0.2")));
        QVERIFY(!text(0, Qt::DisplayRole).contains(QStringLiteral("noise")));
        QVERIFY(!text(0, Qt::ToolTipRole).contains(QStringLiteral("found for")));
        // It stays with the row: when undone and done again, and in a session.
        workspace.undoStack().undo();
        workspace.undoStack().redo();
        QVERIFY(workspace.placements().back().objective == objective);
        const io::Session session = workspace.toSession();
        workspace.close();
        workspace.openSession(session);
        QVERIFY(workspace.placements().back().objective == objective);
    }

    void clickingARowShowsThatPlacement() {
        Workspace workspace;
        Appearance appearance;
        appearance.setDark(false);
        PlacementsView view(workspace, appearance);
        openChain(workspace);
        const int second = showSingle(workspace);
        view.resize(330, 300);
        view.show();
        QCOMPARE(workspace.currentId(), second);
        // Sorted by makespan: round-robin is the first row.
        const QRect row = view.table()->visualRect(view.table()->model()->index(0, 0));
        QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {}, row.center());
        QVERIFY(workspace.currentId() != second);
        QTRY_VERIFY(workspace.bound().value > 0);
        QCOMPARE(view.toCsv().count(QChar(u'\n')), 3);
        QVERIFY(view.toCsv().contains(QString::number(workspace.current()->makespan())));
    }

    void typingSurvivesResultsThatArrive() {
        Workspace workspace;
        Appearance appearance;
        PlacementsView view(workspace, appearance);
        openChain(workspace);
        view.resize(330, 300);
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        const int renamed = workspace.currentId();
        view.table()->edit(view.table()->model()->index(0, PlacementsModel::Method));
        auto* editor = view.table()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("my fav"));
        const int arrived = showSingle(workspace); // is shown, and sorted below
        QCOMPARE(workspace.currentId(), arrived);
        QCOMPARE(editor->text(), QStringLiteral("my fav"));
        QVERIFY(editor->isVisible());
        QTest::keyClicks(editor, QStringLiteral("ourite"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(workspace.placement(renamed)->origin, QStringLiteral("my favourite"));
    }

    void aStoppedWhatIfEnds() {
        Workspace workspace;
        openChain(workspace);
        std::stop_source stop;
        stop.request_stop();
        const auto problem = workspace.problem();
        QVERIFY(whatIf(problem, *workspace.current()->assignment, {0}, stop.get_token()).empty());
        QCOMPARE(whatIf(problem, *workspace.current()->assignment, {0}).size(),
                 static_cast<std::size_t>(problem->deviceCount()));
    }

    void theShownRowMayGoAtAnyTime() {
        Workspace workspace;
        Appearance appearance;
        PlacementsView view(workspace, appearance);
        const QAbstractItemModelTester tester(view.table()->model());
        openChain(workspace);
        view.show();
        const int original = workspace.currentId();
        for (int round = 0; round < 5; ++round) { // an edit makes a copy that is shown; and back
            workspace.assign({4 * round}, 3);     // it is on device 0
            showSingle(workspace);
            workspace.undoStack().undo();
            QVERIFY(workspace.currentId() != original);
            workspace.undoStack().undo();
            QCOMPARE(workspace.currentId(), original);
            QCOMPARE(view.table()->model()->rowCount(), 1);
            QCOMPARE(view.table()->currentIndex().row(), 0);
        }
    }

    void deleteRemovesAndUndoRestores() {
        Workspace workspace;
        Appearance appearance;
        PlacementsView view(workspace, appearance);
        openChain(workspace);
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.table()->setFocus();
        QTest::keyClick(view.table(), Qt::Key_Delete);
        QCOMPARE(workspace.placements().size(), std::size_t{0});
        workspace.undoStack().undo();
        QCOMPARE(workspace.placements().size(), std::size_t{1});
    }

    void inspectorExplainsTheSelectedOp() {
        Workspace workspace;
        Appearance appearance;
        appearance.setDark(false);
        Inspector inspector(workspace, appearance);
        openChain(workspace);
        inspector.resize(324, 900);
        inspector.show();
        QTRY_VERIFY(allText(inspector).contains(QStringLiteral("Nothing selected")));
        QVERIFY(allText(inspector).contains(QStringLiteral("76 ops, 80 edges")));

        workspace.selection().select(40);
        const QString name = QString::fromStdString(workspace.problem()->graph->opName(40));
        QTRY_VERIFY(allText(inspector).contains(name));
        QVERIFY(allText(inspector).contains(QStringLiteral("Why did it start at")));

        workspace.selection().select(std::set<OpId>{1, 2, 3});
        QTRY_VERIFY(allText(inspector).contains(QStringLiteral("3 ops")));

        workspace.selection().selectDevice(2);
        QTRY_VERIFY(allText(inspector).contains(QStringLiteral("Waiting for input")));
    }

    void everyCauseIsSaidInWords() {
        Workspace workspace;
        openChain(workspace);
        const Theme theme = Theme::light();
        const Placement& shown = *workspace.current();
        for (OpId op = 0; op < workspace.problem()->opCount(); ++op) {
            const QString text = whyHtml(*workspace.problem(), *shown.timeline, op, theme);
            const sim::Interval& execution = shown.timeline->execution(op);
            if (execution.cause == sim::Cause::Lane) {
                const auto& cause =
                    shown.timeline->intervals[static_cast<std::size_t>(execution.causeInterval)];
                QVERIFY(text.contains(QStringLiteral("op:%1\"").arg(cause.op)));
                QVERIFY(text.contains(QStringLiteral("busy with")));
            } else {
                QVERIFY(text.contains(QStringLiteral("started at once")));
            }
            const auto chain = causeChain(*shown.timeline, op, 100);
            QCOMPARE(shown.timeline->intervals[static_cast<std::size_t>(chain.back())].op, op);
            QCOMPARE(shown.timeline->intervals[static_cast<std::size_t>(chain.front())].start,
                     Time{0});
        }
    }

    void whatIfAgreesWithDoingIt() {
        Workspace workspace;
        openChain(workspace);
        const auto makespans =
            whatIf(workspace.problem(), *workspace.current()->assignment, {16, 17});
        QCOMPARE(makespans.size(), std::size_t{4});
        for (DeviceId device = 0; device < 4; ++device) {
            workspace.assign({16, 17}, device);
            QCOMPARE(workspace.current()->makespan(), makespans[static_cast<std::size_t>(device)]);
        }
    }

    void bestMovesPromiseWhatTheyGive() {
        Workspace workspace;
        openChain(workspace);
        showSingle(workspace);
        const BestMoves best =
            findBestMoves(workspace.problem(), *workspace.current()->assignment, 10, {});
        QCOMPARE(best.tried, 76 * 3);
        Time last = std::numeric_limits<Time>::max();
        for (const BestMove& move : best.moves) {
            QVERIFY(move.gain > 0 && move.gain <= last);
            last = move.gain;
        }
        QVERIFY(!best.moves.empty());
        const Time before = workspace.current()->makespan();
        workspace.assign({best.moves[0].ops.front()}, best.moves[0].to);
        QCOMPARE(before - workspace.current()->makespan(), best.moves[0].gain);
    }

    void applyInTheListMovesTheOp() {
        Workspace workspace;
        Appearance appearance;
        Inspector inspector(workspace, appearance);
        openChain(workspace);
        showSingle(workspace);
        inspector.show();
        auto* list = inspector.findChild<BestMovesList*>();
        QTRY_VERIFY_WITH_TIMEOUT(list->count() > 0, 20'000);
        const Time before = workspace.current()->makespan();
        inspector.applyBestMove();
        QVERIFY(workspace.current()->makespan() < before);
        QCOMPARE(workspace.current()->edits(), 1);
    }

    void clickingABarMovesTheSelection() {
        Workspace workspace;
        Appearance appearance;
        Inspector inspector(workspace, appearance);
        openChain(workspace);
        inspector.resize(324, 900);
        inspector.show();
        workspace.selection().select(4);
        auto* bars = inspector.findChild<WhatIfBars*>();
        QVERIFY(QTest::qWaitForWindowExposed(&inspector));
        QTRY_VERIFY(allText(inspector).contains(QStringLiteral("What if it ran on")));
        QTRY_VERIFY(bars->height() > 4 && bars->height() == bars->sizeHint().height());
        const int rowHeight = bars->height() / 4;
        // Sent by hand: not every platform plugin turns a cursor position into an event.
        const QPointF row = QPoint(60, rowHeight * 3 + rowHeight / 2);
        QMouseEvent move(QEvent::MouseMove, row, bars->mapToGlobal(row), Qt::NoButton, {}, {});
        QApplication::sendEvent(bars, &move);
        QVERIFY(workspace.isPreviewing());
        QTest::mouseClick(bars, Qt::LeftButton, {}, row.toPoint());
        QVERIFY(!workspace.isPreviewing());
        QCOMPARE((*workspace.current()->assignment)[4], 3);
    }

    void aDeletedInspectorIsNotCalledBack() {
        Workspace workspace;
        Appearance appearance;
        openChain(workspace);
        auto inspector = std::make_unique<Inspector>(workspace, appearance);
        workspace.assign({0}, 1);
        QTest::qWait(200);
        inspector.reset();
        workspace.assign({0}, 2);
        QTRY_VERIFY(workspace.jobs().jobs().empty());
    }
};

QTEST_MAIN(TestDocks)
#include "TestDocks.moc"
