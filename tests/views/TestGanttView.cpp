#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>

#include "core/cluster/Cluster.h"
#include "core/workload/Workload.h"
#include "views/gantt/GanttPlot.h"
#include "views/gantt/GanttView.h"
#include "views/workspace/OpMenu.h"

using namespace doppler;
using namespace doppler::views;

namespace {

/// A window with the chain-matmul graph on four devices and two placements.
struct Fixture {
    Workspace workspace;
    Appearance appearance;
    std::unique_ptr<GanttView> view;

    Fixture() {
        auto cluster = std::make_shared<const cluster::Cluster>(cluster::uniformCluster(4));
        const auto problem =
            sim::makeProblem(workload::generate("chainmm"), cluster, cost::CostModel::Physical, {});
        workspace.open(problem, QStringLiteral("chainmm"), QStringLiteral("uniform:4"),
                       cost::CostModel::Physical);
        sim::Assignment first(static_cast<std::size_t>(problem->opCount()), 0);
        workspace.addPlacement(first, QStringLiteral("single"), 0, 0);
        for (std::size_t op = 0; op < first.size(); ++op) {
            first[op] = static_cast<DeviceId>(op % 4);
        }
        workspace.addPlacement(first, QStringLiteral("round-robin"), 0, 0);
        view = std::make_unique<GanttView>(workspace, appearance);
        view->resize(1000, 440);
        view->show();
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
    }

    GanttPlot& plot() { return view->plot(); }
    Selection& selection() { return workspace.selection(); }
    const sim::Timeline& timeline() { return *workspace.current()->timeline; }
    DeviceId deviceOf(OpId op) {
        return (*workspace.current()->assignment)[static_cast<std::size_t>(op)];
    }

    QRectF rectOf(std::int32_t interval, int track = 0) {
        const GanttTrack& source = plot().scene().tracks[static_cast<std::size_t>(track)];
        return plot().geometryOf().intervalRect(track, source.interval(interval),
                                                source.lanes->rowOf(interval));
    }
    QPoint centreOf(OpId op) {
        return rectOf(timeline().executionOf[static_cast<std::size_t>(op)]).center().toPoint();
    }
    QPoint laneAt(DeviceId device, int x) {
        return {x, qRound(plot().geometryOf().laneRect(0, device).center().y())};
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {}, bool release = true) {
        QTest::mousePress(&plot(), Qt::LeftButton, modifiers, from);
        for (int step = 1; step <= 4; ++step) {
            const QPoint at = from + (to - from) * step / 4;
            QMouseEvent move(QEvent::MouseMove, at, plot().mapToGlobal(at), Qt::NoButton,
                             Qt::LeftButton, modifiers);
            QApplication::sendEvent(&plot(), &move);
        }
        if (release) {
            QTest::mouseRelease(&plot(), Qt::LeftButton, modifiers, to);
        }
    }
};

OpId wideOp(Fixture& f) {
    // The first contraction is wide enough to be hit at any size.
    return f.timeline().intervals.front().op;
}

} // namespace

class TestGanttView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lanesOfALongTimelineComeFromTheBackground() {
        Fixture f;
        const auto problem =
            sim::makeProblem(workload::generate("random:ops=60000"),
                             std::make_shared<const cluster::Cluster>(cluster::uniformCluster(4)),
                             cost::CostModel::Physical, {});
        f.workspace.open(problem, QStringLiteral("random"), QStringLiteral("uniform:4"),
                         cost::CostModel::Physical);
        QVERIFY(f.plot().scene().tracks.empty());
        sim::Assignment assignment(static_cast<std::size_t>(problem->opCount()), 0);
        f.workspace.addPlacement(assignment, QStringLiteral("single"), 0, 0);
        QTRY_VERIFY_WITH_TIMEOUT(!f.plot().scene().tracks.empty(), 60'000);
        const auto single = f.workspace.current()->timeline;
        QCOMPARE(f.plot().scene().tracks[0].timeline, single);
        QCOMPARE(f.plot().scene().tracks[0].lanes->device(0).executions.size(),
                 std::size_t{60'000});
        // Until those of the next one are made, the last one stays.
        assignment[0] = 1;
        f.workspace.addPlacement(assignment, QStringLiteral("other"), 0, 0);
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.current()->timeline != nullptr, 60'000);
        QVERIFY(!f.plot().scene().tracks.empty());
        QTRY_COMPARE_WITH_TIMEOUT(f.plot().scene().tracks[0].timeline,
                                  f.workspace.current()->timeline, 60'000);
        QCOMPARE(f.plot().scene().tracks[0].lanes->device(1).executions.size(), std::size_t{1});
    }

    void clickSelects() {
        Fixture f;
        const OpId op = wideOp(f);
        QTest::mouseClick(&f.plot(), Qt::LeftButton, {}, f.centreOf(op));
        QCOMPARE(f.selection().ops(), std::set<OpId>{op});
        QCOMPARE(f.plot().overlay().selected, std::set<OpId>{op});
        QVERIFY(f.plot().accessibleDescription().contains(QStringLiteral("device")));

        const OpId other = f.timeline().intervals[1].op;
        QTest::mouseClick(&f.plot(), Qt::LeftButton, Qt::ControlModifier, f.centreOf(other));
        QCOMPARE(f.selection().ops(), (std::set<OpId>{op, other}));
        QTest::mouseClick(&f.plot(), Qt::LeftButton, Qt::ControlModifier, f.centreOf(op));
        QCOMPARE(f.selection().ops(), std::set<OpId>{other});

        const QPoint title = f.plot().geometryOf().titleRect(0).center().toPoint();
        QTest::mouseClick(&f.plot(), Qt::LeftButton, {}, title);
        QVERIFY(f.selection().ops().empty());
    }

    void chipSelectsTheDevice() {
        Fixture f;
        QTest::mouseClick(&f.plot(), Qt::LeftButton, {},
                          f.plot().geometryOf().chipRect(0, 2).center().toPoint());
        QCOMPARE(f.selection().device(), DeviceId(2));
    }

    void transferSelectsBothEnds() {
        Fixture f;
        const auto& intervals = f.timeline().intervals;
        std::int32_t widest = -1;
        for (std::size_t i = 0; i < intervals.size(); ++i) {
            const auto index = static_cast<std::int32_t>(i);
            if (intervals[i].isTransfer() &&
                (widest < 0 || f.rectOf(index).width() > f.rectOf(widest).width())) {
                widest = index;
            }
        }
        QVERIFY(widest >= 0);
        const sim::Interval& transfer = intervals[static_cast<std::size_t>(widest)];
        QTest::mouseClick(&f.plot(), Qt::LeftButton, {}, f.rectOf(widest).center().toPoint());
        QVERIFY(f.selection().contains(transfer.op));
        QVERIFY(f.selection().ops().size() >= 2);
        for (const OpId op : f.selection().ops()) {
            QVERIFY(op == transfer.op || f.deviceOf(op) == transfer.to);
        }
    }

    void hoverIsShared() {
        Fixture f;
        const OpId op = wideOp(f);
        QTest::mouseMove(&f.plot(), f.centreOf(op));
        QTRY_COMPARE(f.selection().hovered(), op);
        f.selection().setHovered(7); // as another view would
        QCOMPARE(f.plot().overlay().hovered, OpId(7));
    }

    void dragToAnotherLaneReassigns() {
        Fixture f;
        const OpId op = wideOp(f);
        const DeviceId before = f.deviceOf(op);
        const DeviceId after = before == 2 ? 1 : 2;
        const int original = f.workspace.currentId();
        const Time makespan = f.workspace.current()->makespan();
        const QPoint from = f.centreOf(op);

        f.drag(from, f.laneAt(after, from.x()), {}, false);
        // While the button is down the move is made already.
        QCOMPARE(f.deviceOf(op), after);
        QVERIFY(!f.plot().overlay().pointerText.isEmpty());
        QTest::mouseRelease(&f.plot(), Qt::LeftButton, {}, f.laneAt(after, from.x()));
        QCOMPARE(f.deviceOf(op), after);
        QVERIFY(f.plot().overlay().pointerText.isEmpty());
        QCOMPARE(f.plot().scene().tracks[0].timeline, f.workspace.current()->timeline);

        QCOMPARE(f.workspace.undoStack().text(f.workspace.undoStack().index() - 1).isEmpty(),
                 false);
        f.workspace.undoStack().undo(); // one step, however many lanes were crossed
        QCOMPARE(f.workspace.currentId(), original);
        QCOMPARE(f.deviceOf(op), before);
        QCOMPARE(f.workspace.current()->makespan(), makespan);
    }

    void escapeTakesADragBack() {
        Fixture f;
        const OpId op = wideOp(f);
        const DeviceId before = f.deviceOf(op);
        const int history = f.workspace.undoStack().index();
        const QPoint from = f.centreOf(op);
        f.drag(from, f.laneAt(3, from.x()), {}, false);
        QVERIFY(f.deviceOf(op) != before);
        QTest::keyClick(&f.plot(), Qt::Key_Escape);
        QCOMPARE(f.deviceOf(op), before);
        QCOMPARE(f.workspace.undoStack().index(), history);
        QTest::mouseRelease(&f.plot(), Qt::LeftButton, {}, f.laneAt(3, from.x()));
        QCOMPARE(f.deviceOf(op), before);
    }

    void draggingBackLeavesNoCopy() {
        Fixture f;
        const OpId op = wideOp(f);
        const DeviceId before = f.deviceOf(op);
        const int original = f.workspace.currentId();
        const int history = f.workspace.undoStack().index();
        const QPoint from = f.centreOf(op);
        f.drag(from, f.laneAt(before == 2 ? 1 : 2, from.x()), {}, false);
        QCOMPARE(f.workspace.placements().size(), std::size_t{3});
        const QPoint back = f.laneAt(before, from.x());
        QMouseEvent move(QEvent::MouseMove, back, f.plot().mapToGlobal(back), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(&f.plot(), &move);
        QTest::mouseRelease(&f.plot(), Qt::LeftButton, {}, back);
        QCOMPARE(f.workspace.placements().size(), std::size_t{2});
        QCOMPARE(f.workspace.currentId(), original);
        QCOMPARE(f.workspace.undoStack().index(), history);
        QCOMPARE(f.deviceOf(op), before);
    }

    void aResultThatArrivesEndsTheDrag() {
        Fixture f;
        const OpId op = wideOp(f);
        const QPoint from = f.centreOf(op);
        const DeviceId first = f.deviceOf(op) == 2 ? 1 : 2;
        f.drag(from, f.laneAt(first, from.x()), {}, false);
        const sim::Assignment found(static_cast<std::size_t>(f.workspace.problem()->opCount()), 0);
        const int arrived = f.workspace.addPlacement(found, QStringLiteral("anneal"), 1, 1);
        const QPoint to = f.laneAt(3, from.x());
        QMouseEvent move(QEvent::MouseMove, to, f.plot().mapToGlobal(to), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(&f.plot(), &move);
        QTest::mouseRelease(&f.plot(), Qt::LeftButton, {}, to);
        QCOMPARE(f.workspace.currentId(), arrived);
        QCOMPARE(*f.workspace.current()->assignment, found);
        QCOMPARE(f.workspace.placements().size(), std::size_t{4}); // the edited copy as it was
    }

    void escapeTakesThePlayHeadAway() {
        Fixture f;
        f.selection().select(wideOp(f));
        f.plot().setFocus();
        QTest::keyClick(&f.plot(), Qt::Key_End);
        QVERIFY(f.workspace.viewState().playHead() > 0);
        QTest::keyClick(&f.plot(), Qt::Key_Escape);
        QCOMPARE(f.workspace.viewState().playHead(), Time{-1});
        QVERIFY(!f.selection().ops().empty()); // that takes one more
        QTest::keyClick(&f.plot(), Qt::Key_Escape);
        QVERIFY(f.selection().ops().empty());
    }

    void numberKeysAssignAndPPins() {
        Fixture f;
        const OpId op = wideOp(f);
        f.selection().select(op);
        f.plot().setFocus();
        QTest::keyClick(&f.plot(), Qt::Key_3);
        QCOMPARE(f.deviceOf(op), DeviceId(2));
        QTest::keyClick(&f.plot(), Qt::Key_9); // there are four
        QCOMPARE(f.deviceOf(op), DeviceId(2));
        QTest::keyClick(&f.plot(), Qt::Key_P);
        QVERIFY(f.workspace.isPinned(op));
        QTest::keyClick(&f.plot(), Qt::Key_P);
        QVERIFY(!f.workspace.isPinned(op));
    }

    void arrowsWalkTheLane() {
        Fixture f;
        const auto& lane = f.plot().scene().tracks[0].lanes->device(1).executions;
        const auto opAt = [&](std::size_t i) {
            return f.timeline().intervals[static_cast<std::size_t>(lane[i])].op;
        };
        f.selection().select(opAt(0));
        QTest::keyClick(&f.plot(), Qt::Key_Right);
        QCOMPARE(f.selection().current(), opAt(1));
        QTest::keyClick(&f.plot(), Qt::Key_Left);
        QCOMPARE(f.selection().current(), opAt(0));
        QTest::keyClick(&f.plot(), Qt::Key_Left); // the first one
        QCOMPARE(f.selection().current(), opAt(0));
    }

    void chainCanBeFollowedToTheStart() {
        Fixture f;
        f.selection().clear();
        QTest::keyClick(&f.plot(), Qt::Key_W); // starts at the end of the chain
        const OpId last = f.selection().current();
        QCOMPARE(f.timeline().execution(last).end, f.timeline().makespan);
        Time start = f.timeline().execution(last).start;
        for (int step = 0; step < 100 && start > 0; ++step) {
            QTest::keyClick(&f.plot(), Qt::Key_W);
            const Time next = f.timeline().execution(f.selection().current()).start;
            QVERIFY(next < start);
            start = next;
        }
        QCOMPARE(start, Time(0));
    }

    void measuringSnapsToIntervalEnds() {
        Fixture f;
        f.workspace.viewState().setMeasuring(true);
        const sim::Interval& interval = f.timeline().intervals.front();
        const QRectF rect = f.rectOf(0);
        const int y = qRound(rect.center().y());
        f.drag({qRound(rect.left()) + 3, y}, {qRound(rect.right()) - 3, y});
        QVERIFY(f.plot().overlay().ruler.has_value());
        QCOMPARE(*f.plot().overlay().ruler, (TimeRange{interval.start, interval.end}));
        QTest::keyClick(&f.plot(), Qt::Key_Escape);
        QVERIFY(!f.plot().overlay().ruler.has_value());
        QCOMPARE(f.deviceOf(interval.op), interval.device); // nothing was moved
    }

    void axisSetsThePlayHead() {
        Fixture f;
        const GanttGeometry& geometry = f.plot().geometryOf();
        const auto half = f.timeline().makespan / 2;
        QTest::mouseClick(&f.plot(), Qt::LeftButton, {},
                          QPoint(qRound(geometry.x(static_cast<double>(half))),
                                 qRound(geometry.axisRect().center().y())));
        const double pixels =
            std::fabs(geometry.x(static_cast<double>(half)) -
                      geometry.x(static_cast<double>(f.workspace.viewState().playHead())));
        QVERIFY(pixels <= 1);
        QTest::keyClick(&f.plot(), Qt::Key_End);
        QCOMPARE(f.workspace.viewState().playHead(), f.timeline().makespan);
        QTest::keyClick(&f.plot(), Qt::Key_Home);
        QCOMPARE(f.workspace.viewState().playHead(), Time(0));
    }

    void wheelZoomsAtThePointer() {
        Fixture f;
        const GanttGeometry& geometry = f.plot().geometryOf();
        const QPoint at(600, 100);
        const double time = geometry.time(at.x());
        const double length = geometry.to() - geometry.from();
        QWheelEvent wheel(at, f.plot().mapToGlobal(at), {}, {0, 120}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&f.plot(), &wheel);
        QVERIFY(geometry.to() - geometry.from() < length);
        QVERIFY(std::fabs(geometry.x(time) - at.x()) < 0.5);

        const double from = geometry.from();
        QWheelEvent pan(at, f.plot().mapToGlobal(at), {}, {0, -120}, Qt::NoButton,
                        Qt::ShiftModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&f.plot(), &pan);
        QVERIFY(geometry.from() > from);
        QTest::keyClick(&f.plot(), Qt::Key_0);
        QVERIFY(f.plot().isFitted());
    }

    void doubleClickAndFFit() {
        Fixture f;
        const OpId op = wideOp(f);
        QTest::mouseDClick(&f.plot(), Qt::LeftButton, {}, f.centreOf(op));
        const GanttGeometry& geometry = f.plot().geometryOf();
        const sim::Interval& interval = f.timeline().execution(op);
        QVERIFY(geometry.to() - geometry.from() <
                2 * static_cast<double>(interval.end - interval.start));
        f.plot().fitAll();
        f.selection().select(op);
        QTest::keyClick(&f.plot(), Qt::Key_F);
        QVERIFY(!f.plot().isFitted());
        QTest::keyClick(&f.plot(), Qt::Key_F);
        QVERIFY(f.plot().isFitted());
    }

    void shiftDragSelectsOpsInABand() {
        Fixture f;
        const GanttGeometry& geometry = f.plot().geometryOf();
        const QRectF a = geometry.laneRect(0, 0);
        const QRectF b = geometry.laneRect(0, 1);
        f.drag({qRound(a.left()) + 2, qRound(a.top()) + 2},
               {qRound(geometry.lanesRight()) - 2, qRound(b.center().y())}, Qt::ShiftModifier);
        for (OpId op = 0; op < f.workspace.problem()->opCount(); ++op) {
            QCOMPARE(f.selection().contains(op), f.deviceOf(op) < 2);
        }
        QVERIFY(f.plot().overlay().rubberBand.isEmpty());
    }

    void switchesFollowTheViewState() {
        Fixture f;
        const double height = f.plot().geometryOf().contentHeight();
        f.workspace.viewState().setShowLinks(false);
        QVERIFY(f.plot().geometryOf().contentHeight() < height);
        f.workspace.viewState().setShowCriticalChain(false);
        QVERIFY(!f.plot().scene().criticalChain);
        const auto buttons = f.view->findChildren<QToolButton*>();
        const auto checked = std::count_if(buttons.begin(), buttons.end(),
                                           [](QToolButton* each) { return each->isChecked(); });
        QCOMPARE(checked, std::ptrdiff_t(0));
    }

    void comparingShowsTwoTimelines() {
        Fixture f;
        QCOMPARE(f.plot().scene().tracks.size(), std::size_t(1));
        const int single = f.workspace.placements().front().id;
        f.workspace.viewState().setComparedPlacement(single);
        QCOMPARE(f.plot().scene().tracks.size(), std::size_t(2));
        QCOMPARE(f.plot().scene().tracks[1].timeline, f.workspace.placement(single)->timeline);
        // Both ends are in sight on the common axis.
        QVERIFY(f.plot().geometryOf().to() >=
                static_cast<double>(f.workspace.placement(single)->makespan()));
        f.workspace.removePlacement(single);
        QCOMPARE(f.plot().scene().tracks.size(), std::size_t(1));
    }

    void nothingOpenIsALineOfText() {
        Fixture f;
        f.workspace.close();
        QVERIFY(f.plot().scene().tracks.empty());
        QVERIFY(!f.plot().isVisible());
        QTest::keyClick(&f.plot(), Qt::Key_W); // harmless
    }

    void menuOffersDevicesAndPin() {
        Fixture f;
        QMenu empty;
        fillOpMenu(empty, f.workspace, f.appearance.theme());
        QVERIFY(empty.isEmpty());
        const OpId op = wideOp(f);
        f.selection().select(op);
        QMenu menu;
        fillOpMenu(menu, f.workspace, f.appearance.theme());
        QMenu* assign = nullptr;
        for (QAction* action : menu.actions()) {
            if (action->menu() != nullptr && assign == nullptr) {
                assign = action->menu();
            }
        }
        QVERIFY(assign != nullptr);
        QCOMPARE(assign->actions().size(), 4);
        const DeviceId target = f.deviceOf(op) == 3 ? 0 : 3;
        QVERIFY(!assign->actions().at(f.deviceOf(op))->isEnabled());
        assign->actions().at(target)->trigger();
        QCOMPARE(f.deviceOf(op), target);
    }

    void scrollsWhenDevicesDoNotFit() {
        Fixture f;
        f.view->resize(1000, 160);
        QTRY_VERIFY(f.plot().geometryOf().maxScroll() > 0);
        f.plot().reveal(f.plot().executionOf(
            f.timeline()
                .intervals[static_cast<std::size_t>(
                    f.plot().scene().tracks[0].lanes->device(3).executions.front())]
                .op));
        QVERIFY(f.plot().geometryOf().deviceRect(0, 3).bottom() <=
                f.plot().geometryOf().lanesHeight());
    }
};

QTEST_MAIN(TestGanttView)
#include "TestGanttView.moc"
