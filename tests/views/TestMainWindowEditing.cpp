#include <QMenu>
#include <QTableView>

#include "tests/support/WindowFixture.h"
#include "views/docks/PlacementsView.h"
#include "views/shell/StatusFields.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::WindowFixture;

/// One window, one graph: selecting and moving ops with the real widgets.
class TestMainWindowEditing : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> f_;

    const std::set<OpId>& selected() { return f_->selection().ops(); }
    /// An op that is wide enough to be hit in the timelines, and alone at its place.
    OpId wideOp() { return f_->workspace().current()->timeline->intervals.front().op; }

private Q_SLOTS:
    void init() {
        f_ = std::make_unique<WindowFixture>();
        QVERIFY(f_->open(QStringLiteral("chainmm")));
    }
    void cleanup() { f_.reset(); }

    void selectionInTheCanvasShowsInTheTimelines() {
        f_->clickOnCanvas(28);
        QCOMPARE(selected(), std::set<OpId>{28});
        QCOMPARE(f_->plot().overlay().selected, std::set<OpId>{28});
    }

    void selectionInTheTimelinesShowsInTheCanvas() {
        const OpId op = wideOp();
        const QImage before = f_->canvas().grab().toImage();
        QTest::mouseClick(&f_->plot(), Qt::LeftButton, {}, f_->onTimelines(op));
        QCOMPARE(selected(), std::set<OpId>{op});
        QVERIFY(f_->canvas().grab().toImage() != before);
    }

    void aRowOfTheTableIsShownEverywhere() {
        QTableView* table = f_->window->placementsView().table();
        const int current = f_->workspace().currentId();
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QRect cell = table->visualRect(table->model()->index(row, 0));
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
            if (f_->workspace().currentId() != current) {
                break;
            }
        }
        QVERIFY(f_->workspace().currentId() != current);
        QCOMPARE(f_->plot().scene().tracks.front().timeline, f_->workspace().current()->timeline);
    }

    void aKeyAssigns() {
        const Time original = f_->makespan();
        const OpId op = wideOp();
        const DeviceId target = f_->otherDevice(op);
        f_->clickOnCanvas(op);
        QTest::keyClick(&f_->canvas(), static_cast<Qt::Key>(Qt::Key_1 + target));
        QCOMPARE(f_->deviceOf(op), target);
        QVERIFY(f_->workspace().current()->edited);
        QVERIFY(f_->workspace().hasLastDifference());
        QTRY_VERIFY(f_->window->statusFields().text().contains(QStringLiteral("Last edit")));
        f_->action("edit.undo")->trigger();
        QCOMPARE(f_->makespan(), original);
        f_->action("edit.redo")->trigger();
        QCOMPARE(f_->deviceOf(op), target);
        f_->action("edit.undo")->trigger();
        QCOMPARE(f_->makespan(), original);
    }

    void theKeyWorksFromOtherPlacesToo() {
        const OpId op = wideOp();
        const DeviceId target = f_->otherDevice(op);
        f_->selection().select(op);
        f_->action(qPrintable(QStringLiteral("edit.assign%1").arg(target + 1)))->trigger();
        QCOMPARE(f_->deviceOf(op), target);
    }

    void draggingToAnotherLaneAssigns() {
        const Time original = f_->makespan();
        const OpId op = wideOp();
        const DeviceId target = f_->otherDevice(op);
        const QPoint from = f_->onTimelines(op);
        const QPoint to = f_->onLane(target, from.x());
        QTest::mousePress(&f_->plot(), Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4; ++step) {
            const QPoint at = from + (to - from) * step / 4;
            QMouseEvent move(QEvent::MouseMove, at, f_->plot().mapToGlobal(at), Qt::NoButton,
                             Qt::LeftButton, {});
            QCoreApplication::sendEvent(&f_->plot(), &move);
        }
        QTest::mouseRelease(&f_->plot(), Qt::LeftButton, {}, to);
        QCOMPARE(f_->deviceOf(op), target);
        f_->action("edit.undo")->trigger(); // one step, however long the drag
        QCOMPARE(f_->makespan(), original);
        QVERIFY(!f_->workspace().isModified());
    }

    void theMenuAssigns() {
        const OpId op = wideOp();
        const DeviceId target = f_->otherDevice(op);
        f_->selection().select(op);
        QMenu* menu = nullptr;
        for (QMenu* each : f_->window->findChildren<QMenu*>()) {
            if (each->title().remove(QLatin1Char('&')) ==
                QStringLiteral("Assign the selection to")) {
                menu = each;
            }
        }
        QVERIFY(menu != nullptr);
        Q_EMIT menu->aboutToShow();
        menu->actions().at(target)->trigger();
        QCOMPARE(f_->deviceOf(op), target);
    }

    void pinnedOpsStay() {
        const OpId op = wideOp();
        const DeviceId home = f_->deviceOf(op);
        f_->selection().select(op);
        f_->action("edit.pin")->trigger();
        QVERIFY(f_->workspace().isPinned(op));
        QVERIFY(f_->action("edit.pin")->isChecked());
        f_->workspace().assign({op}, f_->otherDevice(op));
        QCOMPARE(f_->deviceOf(op), home);
        f_->action("edit.pin")->trigger();
        QVERIFY(!f_->workspace().isPinned(op));
        QVERIFY(!f_->action("edit.pin")->isChecked());
    }

    void whyFollowsTheChainBack() {
        const Placement& shown = *f_->workspace().current();
        const OpId last = shown.timeline->intervals.back().op;
        f_->selection().select(last);
        int steps = 0;
        for (; steps < 200; ++steps) {
            const OpId before = f_->selection().current();
            f_->action("view.why")->trigger();
            if (f_->selection().current() == before) {
                break;
            }
            QVERIFY(shown.timeline->execution(f_->selection().current()).start <
                    shown.timeline->execution(before).start);
        }
        QVERIFY(steps > 0);
        QCOMPARE(shown.timeline->execution(f_->selection().current()).start, Time(0));
    }

    void lookingBackAndForward() {
        QVERIFY(!f_->action("edit.back")->isEnabled());
        f_->clickOnCanvas(28);
        f_->clickOnCanvas(30);
        f_->selection().select(5);
        f_->action("edit.back")->trigger();
        f_->action("edit.back")->trigger();
        QCOMPARE(selected(), std::set<OpId>{28});
        QVERIFY(!f_->action("edit.back")->isEnabled());
        f_->action("edit.forward")->trigger();
        QCOMPARE(selected(), std::set<OpId>{30});
        f_->selection().select(7); // a new way from here
        QVERIFY(!f_->action("edit.forward")->isEnabled());
        QVERIFY(f_->open(QStringLiteral("ffnn")));
        QVERIFY(!f_->action("edit.back")->isEnabled());
    }

    void switchesAreSharedWithTheViews() {
        ViewState& state = f_->workspace().viewState();
        const bool chain = state.showCriticalChain();
        f_->action("view.chain")->trigger();
        QCOMPARE(state.showCriticalChain(), !chain);
        state.setShowCriticalChain(chain);
        QCOMPARE(f_->action("view.chain")->isChecked(), chain);
        f_->action("view.colourKind")->trigger();
        QCOMPARE(state.colourBy(), ColourBy::Kind);
    }

    void lassoIsLeftWithEscape() {
        f_->action("edit.lasso")->trigger();
        QVERIFY(f_->window->graphView().isLassoMode());
        f_->action("edit.clear")->trigger();
        QVERIFY(!f_->window->graphView().isLassoMode());
        QVERIFY(!f_->action("edit.lasso")->isChecked());
        f_->selection().select(3);
        f_->action("edit.clear")->trigger();
        QVERIFY(selected().empty());
    }
};

QTEST_MAIN(TestMainWindowEditing)
#include "TestMainWindowEditing.moc"
