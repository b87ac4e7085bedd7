#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QWheelEvent>

#include "core/sim/Simulator.h"
#include "tests/support/CanvasFixture.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::CanvasFixture;

/// Drives the real widget with the real workspace: what pointer and keys do, and what is seen.
class TestGraphCanvas : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<CanvasFixture> f_;

private Q_SLOTS:
    void init() {
        f_ = std::make_unique<CanvasFixture>();
        QVERIFY(QTest::qWaitForWindowExposed(&f_->view()));
        QVERIFY(f_->open("chainmm"));
    }

    void cleanup() { f_.reset(); }

    void clickSelectsAndTellsAllViews() {
        const QSignalSpy changed(&f_->workspace().selection(), &Selection::changed);
        f_->click(28);
        QCOMPARE(f_->selected(), std::set<OpId>{28});
        QCOMPARE(f_->workspace().selection().current(), 28);
        QCOMPARE(changed.count(), 1);
        f_->click(30, Qt::ControlModifier);
        f_->click(31, Qt::ShiftModifier);
        QCOMPARE(f_->selected(), (std::set<OpId>{28, 30, 31}));
        f_->click(30, Qt::ControlModifier);
        QCOMPARE(f_->selected(), (std::set<OpId>{28, 31}));
        QTest::mouseClick(&f_->canvas(), Qt::LeftButton, {}, QPoint(f_->canvas().width() - 4, 200));
        QVERIFY(f_->selected().empty());
    }

    void aSelectionMadeElsewhereIsShown() {
        const QRectF node = f_->canvas().geometry().nodeInView(20);
        const QPointF onRing(node.center().x(), node.bottom() + 3.5);
        QVERIFY(f_->pixel(onRing) != f_->appearance().theme().accent);
        f_->workspace().selection().select(20);
        const QColor ring = f_->pixel(onRing);
        const QColor accent = f_->appearance().theme().accent;
        QVERIFY2(qAbs(ring.red() - accent.red()) + qAbs(ring.blue() - accent.blue()) < 60,
                 qPrintable(ring.name()));
    }

    void hoverIsShared() {
        QTest::mouseMove(&f_->canvas(), f_->at(21));
        QCOMPARE(f_->workspace().selection().hovered(), 21);
        QTest::mouseMove(&f_->canvas(), QPoint(f_->canvas().width() - 4, 200));
        QCOMPARE(f_->workspace().selection().hovered(), kNoOp);
    }

    void hoverCardSaysWhatAndWhere() {
        QTest::mouseMove(&f_->canvas(), f_->at(21));
        auto* card = f_->canvas().findChild<HoverCard*>();
        QTRY_VERIFY(card->isVisible());
        for (const char* word : {"mm 21", "contraction", "B", "50.0 MB"}) {
            QVERIFY2(card->text().contains(QLatin1String(word)), word);
        }
        QVERIFY(f_->canvas().rect().contains(card->geometry()));
    }

    void rectangleSelects() {
        const QRect around = f_->canvas()
                                 .geometry()
                                 .nodeInView(4)
                                 .toRect()
                                 .united(f_->canvas().geometry().nodeInView(5).toRect())
                                 .adjusted(-3, -3, 3, 3);
        f_->drag({around.topLeft(), around.center(), around.bottomRight()});
        QCOMPARE(f_->selected(), (std::set<OpId>{4, 5}));
        f_->click(28);
        f_->drag({around.topLeft(), around.center(), around.bottomRight()}, Qt::ShiftModifier);
        QCOMPARE(f_->selected(), (std::set<OpId>{4, 5, 28}));
    }

    void lassoSelectsByOutlineAndEscapeLeavesIt() {
        f_->view().setLassoMode(true);
        const QPoint c = f_->at(70);
        f_->drag(
            {c + QPoint(-18, -18), c + QPoint(18, -18), c + QPoint(18, 18), c + QPoint(-18, 18)});
        QCOMPARE(f_->selected(), std::set<OpId>{70});
        const QSignalSpy left(&f_->view(), &GraphView::lassoModeChanged);
        QTest::keyClick(&f_->canvas(), Qt::Key_Escape);
        QVERIFY(!f_->view().isLassoMode());
        QCOMPARE(left.count(), 1);
        QCOMPARE(f_->selected(), std::set<OpId>{70}); // the second one clears
        QTest::keyClick(&f_->canvas(), Qt::Key_Escape);
        QVERIFY(f_->selected().empty());
    }

    void keysAssignAndPinUndoably() {
        const Time before = f_->workspace().current()->makespan();
        f_->click(28);
        QCOMPARE(f_->deviceOf(28), 0);
        QTest::keyClick(&f_->canvas(), Qt::Key_3);
        QCOMPARE(f_->deviceOf(28), 2);
        QTest::keyClick(&f_->canvas(), Qt::Key_9); // there is no ninth device
        QCOMPARE(f_->deviceOf(28), 2);
        QTest::keyClick(&f_->canvas(), Qt::Key_P);
        QVERIFY(f_->workspace().isPinned(28));
        QTest::keyClick(&f_->canvas(), Qt::Key_P);
        QVERIFY(!f_->workspace().isPinned(28));
        while (f_->workspace().undoStack().index() > 1) { // the first step added the placement
            f_->workspace().undoStack().undo();
        }
        QCOMPARE(f_->deviceOf(28), 0);
        QCOMPARE(f_->workspace().current()->makespan(), before);
    }

    void dragToAChipAssignsAsOneStep() {
        const int steps = f_->workspace().undoStack().count();
        f_->click(28);
        f_->drag({f_->at(28), f_->at(28) + QPoint(0, 15)}, {}, false);
        QCOMPARE(f_->canvas().mouse().mode(), CanvasMouse::Mode::Dragging);
        const ChipStrip chips = f_->canvas().mouse().chips();
        QVERIFY(f_->canvas().geometry().viewRect().contains(chips.rect()));
        for (const DeviceId device : {1, 2, 3}) { // what it would do shows on the way
            QTest::mouseMove(&f_->canvas(), chips.chip(device).center().toPoint());
            QCOMPARE(f_->deviceOf(28), device);
        }
        QTest::mouseRelease(&f_->canvas(), Qt::LeftButton, {}, chips.chip(3).center().toPoint());
        QCOMPARE(f_->deviceOf(28), 3);
        QCOMPARE(f_->workspace().undoStack().count(), steps + 1);
        f_->workspace().undoStack().undo();
        QCOMPARE(f_->deviceOf(28), 0);
    }

    void dropBesideTheChipsChangesNothing() {
        const int index = f_->workspace().undoStack().index();
        f_->drag({f_->at(28), f_->at(28) + QPoint(0, 15)}, {}, false);
        const ChipStrip chips = f_->canvas().mouse().chips();
        QTest::mouseMove(&f_->canvas(), chips.chip(2).center().toPoint());
        QCOMPARE(f_->deviceOf(28), 2);
        QTest::mouseMove(&f_->canvas(), QPoint(2, 2));
        QCOMPARE(f_->deviceOf(28), 0);
        QTest::mouseRelease(&f_->canvas(), Qt::LeftButton, {}, QPoint(2, 2));
        QCOMPARE(f_->workspace().undoStack().index(), index);

        f_->drag({f_->at(28), f_->at(28) + QPoint(0, 15), chips.chip(2).center().toPoint()}, {},
                 false);
        QTest::keyClick(&f_->canvas(), Qt::Key_Escape);
        QCOMPARE(f_->deviceOf(28), 0);
        QCOMPARE(f_->selected(), std::set<OpId>{28});
    }

    void arrowsFollowTheTimeline() {
        f_->click(70);
        QTest::keyClick(&f_->canvas(), Qt::Key_Up);
        const OpId producer = f_->workspace().selection().current();
        const auto graph = f_->workspace().problem()->graph;
        bool isProducer = false;
        for (const EdgeId edge : graph->inEdges(70)) {
            isProducer = isProducer || graph->source(edge) == producer;
        }
        QVERIFY(isProducer);
        QTest::keyClick(&f_->canvas(), Qt::Key_Down);
        QCOMPARE(f_->workspace().selection().current(), 70);
        QTest::keyClick(&f_->canvas(), Qt::Key_Left);
        const OpId before = f_->workspace().selection().current();
        QCOMPARE(f_->deviceOf(before), f_->deviceOf(70));
        QTest::keyClick(&f_->canvas(), Qt::Key_Right);
        QCOMPARE(f_->workspace().selection().current(), 70);
    }

    void wheelZoomsAtThePointerAndPansWithShift() {
        const QPointF pointer = f_->canvas().geometry().nodeInView(28).center();
        const double zoom = f_->canvas().geometry().transform().zoom;
        const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
            QWheelEvent event(pointer, f_->canvas().mapToGlobal(pointer), {}, {0, 240},
                              Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&f_->canvas(), &event);
        };
        wheel({});
        QVERIFY(f_->canvas().geometry().transform().zoom > zoom * 1.3);
        QVERIFY((f_->canvas().geometry().nodeInView(28).center() - pointer).manhattanLength() < 1);
        const double zoomed = f_->canvas().geometry().transform().zoom;
        wheel(Qt::ShiftModifier);
        QCOMPARE(f_->canvas().geometry().transform().zoom, zoomed);
        QVERIFY(f_->canvas().geometry().nodeInView(28).center().x() > pointer.x() + 20);
        QTest::keyClick(&f_->canvas(), Qt::Key_F);
        QVERIFY(f_->canvas().geometry().isFitted());
        QTest::keyClick(&f_->canvas(), Qt::Key_0);
        QCOMPARE(f_->canvas().geometry().transform().zoom, 1.0);
    }

    void middleButtonPansAndTheMinimapMovesTheView() {
        f_->view().resetZoom();
        f_->view().zoomIn();
        f_->canvas().grab();
        const QPointF before = f_->canvas().geometry().transform().offset;
        QTest::mousePress(&f_->canvas(), Qt::MiddleButton, {}, QPoint(400, 200));
        QTest::mouseMove(&f_->canvas(), QPoint(370, 190));
        QTest::mouseRelease(&f_->canvas(), Qt::MiddleButton, {}, QPoint(370, 190));
        QCOMPARE(f_->canvas().geometry().transform().offset, before + QPointF(-30, -10));
        const QRectF map = f_->canvas().overlays().minimapRect();
        QVERIFY(!map.isEmpty());
        QTest::mouseClick(&f_->canvas(), Qt::LeftButton, {},
                          QPointF(map.right() - 8, map.center().y()).toPoint());
        QVERIFY(f_->canvas().geometry().visibleScene().center().x() >
                f_->canvas().geometry().layout()->bounds.center().x());
    }

    void searchDimsWhatDoesNotMatchAndStepsThrough() {
        QCOMPARE(f_->view().find(QStringLiteral("formation")), 20);
        const OpId first = f_->workspace().selection().current();
        QCOMPARE(first, 16);
        const Theme& theme = f_->appearance().theme();
        QCOMPARE(f_->fill(18), theme.device(f_->deviceOf(18)).fill.rgb());
        QCOMPARE(f_->fill(3), (theme.mixed(theme.device(f_->deviceOf(3)).fill, 0.3)).rgb());
        f_->view().findNext(true);
        QCOMPARE(f_->workspace().selection().current(), 17);
        f_->view().findNext(false);
        QCOMPARE(f_->workspace().selection().current(), 16);
        QCOMPARE(f_->view().find({}), 0);
        QCOMPARE(f_->fill(3), theme.device(f_->deviceOf(3)).fill.rgb());
    }

    void coloursFollowTheMode() {
        for (const bool dark : {false, true}) {
            f_->appearance().setDark(dark);
            const Theme& theme = f_->appearance().theme();
            f_->workspace().viewState().setColourBy(ColourBy::Device);
            QCOMPARE(f_->fill(1), theme.device(1).fill.rgb());
            f_->workspace().viewState().setColourBy(ColourBy::Kind);
            QCOMPARE(f_->fill(1), (kindColour(theme, graph::OpKind::Contraction)).rgb());
            f_->workspace().viewState().setColourBy(ColourBy::Cost);
            QCOMPARE(f_->fill(1), (scaleColour(theme, 1)).rgb()); // products cost more than sums
            f_->workspace().viewState().setColourBy(ColourBy::MoveGain);
            QCOMPARE(f_->fill(1), theme.device(1).fill.rgb()); // not computed yet
            std::vector<Time> gains(76, 0);
            gains[1] = 1000;
            f_->canvas().setMoveGain(gains);
            QCOMPARE(f_->fill(1), (scaleColour(theme, 1)).rgb());
            QCOMPARE(f_->fill(2), (scaleColour(theme, 0)).rgb());
            f_->canvas().setMoveGain({});
        }
        auto* box = f_->view().findChild<QComboBox*>();
        QCOMPARE(box->currentText(), QStringLiteral("Colour: gain of a move"));
        box->setCurrentIndex(0);
        Q_EMIT box->activated(0);
        QCOMPARE(f_->workspace().viewState().colourBy(), ColourBy::Device);
    }

    void speaksOfTheCurrentOp() {
        QCOMPARE(f_->canvas().accessibleName(), QStringLiteral("Graph canvas"));
        f_->click(28);
        const QString spoken = f_->canvas().accessibleName();
        QVERIFY2(spoken.startsWith(QStringLiteral("mm 28, contraction, device A, ")),
                 qPrintable(spoken));
        QVERIFY2(spoken.contains(QStringLiteral(" to ")), qPrintable(spoken));
    }

    void criticalOpsAreDrawnInInk() {
        const sim::Report& report = *f_->workspace().current()->report;
        OpId critical = kNoOp;
        for (const std::int32_t index : report.criticalChain) {
            const auto& interval =
                f_->workspace().current()->timeline->intervals[static_cast<std::size_t>(index)];
            critical = interval.isTransfer() ? critical : interval.op;
        }
        QVERIFY(critical != kNoOp);
        const QRectF node = f_->canvas().geometry().nodeInView(critical);
        const QPointF border(node.left() + 0.5, node.center().y());
        const QColor ink = f_->appearance().theme().ink;
        const auto isInk = [&] {
            const QColor colour = f_->pixel(border);
            return qAbs(colour.red() - ink.red()) + qAbs(colour.green() - ink.green()) < 80;
        };
        QVERIFY(isInk());
        f_->workspace().viewState().setShowCriticalChain(false);
        QVERIFY(!isInk());
    }

    void opsOfNoKnownKindAreOthersInTheLegend() {
        QVERIFY(f_->open("random:ops=60"));
        const Theme theme = Theme::light();
        const NodePalette palette = makePalette(f_->canvas().scene(), theme);
        const CriticalParts critical;
        const QStringList texts =
            LegendPainter(f_->canvas().scene(), palette, critical, theme).texts();
        QVERIFY(texts.contains(QStringLiteral("other")));
        QVERIFY(!texts.contains(QStringLiteral("elementwise")));
    }

    void closingAndOpeningAnotherGraphIsSafeDuringALayout() {
        auto problem =
            sim::makeProblem(workload::generate("random:ops=3000"),
                             std::make_shared<const cluster::Cluster>(cluster::uniformCluster(2)),
                             cost::CostModel::Physical, {});
        f_->workspace().open(problem, {}, {}, cost::CostModel::Physical);
        f_->canvas().grab();
        f_->workspace().close();
        f_->canvas().grab();
        QVERIFY(f_->canvas().geometry().isEmpty());
        f_->workspace().open(problem, {}, {}, cost::CostModel::Physical);
        f_->closeView(); // while it runs
        QTest::qWait(50);
    }
};

QTEST_MAIN(TestGraphCanvas)
#include "TestGraphCanvas.moc"
