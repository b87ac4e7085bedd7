#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "core/cluster/Cluster.h"
#include "core/sim/Simulator.h"
#include "core/workload/Workload.h"
#include "views/canvas/GraphCanvas.h"
#include "views/canvas/GraphView.h"

using namespace doppler;
using namespace doppler::views;

/// Drives the real widget with the real workspace.
class TestGraphCanvas : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Workspace> workspace_;
    std::unique_ptr<Appearance> appearance_;
    std::unique_ptr<GraphView> view_;

    GraphCanvas& canvas() { return view_->canvas(); }
    QPoint at(OpId op) { return canvas().geometry().nodeInView(op).center().toPoint(); }
    const std::set<OpId>& selected() { return workspace_->selection().ops(); }
    DeviceId deviceOf(OpId op) {
        return (*workspace_->current()->assignment)[static_cast<std::size_t>(op)];
    }
    QColor pixel(const QPointF& point) {
        const QPixmap picture = canvas().grab();
        return picture.toImage().pixelColor((point * picture.devicePixelRatio()).toPoint());
    }
    /// The colour a node is filled with on screen.
    QRgb fill(OpId op) {
        canvas().grab(); // overlays may move the drawing
        const QRectF node = canvas().geometry().nodeInView(op);
        return pixel(QPointF(node.right() - 5, node.center().y())).rgb();
    }
    void click(OpId op, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(&canvas(), Qt::LeftButton, modifiers, at(op));
    }
    void drag(const QList<QPoint>& points, Qt::KeyboardModifiers modifiers = {},
              bool release = true) {
        QTest::mousePress(&canvas(), Qt::LeftButton, modifiers, points.first());
        for (const QPoint& point : points) {
            QTest::mouseMove(&canvas(), point);
        }
        if (release) {
            QTest::mouseRelease(&canvas(), Qt::LeftButton, modifiers, points.last());
        }
    }

    bool settled() {
        const bool quiet = QTest::qWaitFor([this] { return !canvas().isLayoutRunning(); }, 60'000);
        canvas().grab();
        return quiet;
    }
    void openLlama(const char* workload) {
        auto problem =
            sim::makeProblem(workload::generate(workload),
                             std::make_shared<const cluster::Cluster>(cluster::uniformCluster(4)),
                             cost::CostModel::Published, {});
        workspace_->open(problem, QString::fromLatin1(workload), QStringLiteral("uniform:4"),
                         cost::CostModel::Published);
        sim::Assignment assignment(static_cast<std::size_t>(problem->opCount()), 0);
        for (std::size_t op = 0; op < assignment.size(); ++op) {
            assignment[op] = static_cast<DeviceId>(op % 4);
        }
        workspace_->addPlacement(assignment, QStringLiteral("test"), 0, 0);
        QVERIFY(settled());
    }
    std::int32_t group(const std::string& path) {
        const graph::GroupTree& tree = canvas().groups()->tree();
        for (std::int32_t group = 1; group < tree.size(); ++group) {
            if (tree.path(group) == path) {
                return group;
            }
        }
        return -1;
    }
    QPoint boxMiddle(std::int32_t group) {
        return canvas()
            .geometry()
            .boxInView(canvas().geometry().folds()->boxOf(group))
            .center()
            .toPoint();
    }

private Q_SLOTS:
    void init() {
        workspace_ = std::make_unique<Workspace>();
        appearance_ = std::make_unique<Appearance>();
        view_ = std::make_unique<GraphView>(*workspace_, *appearance_,
                                            std::make_shared<LayoutLibrary>(QString()));
        view_->resize(960, 460);
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
        auto problem =
            sim::makeProblem(workload::generate("chainmm"),
                             std::make_shared<const cluster::Cluster>(cluster::uniformCluster(4)),
                             cost::CostModel::Published, {});
        workspace_->open(problem, QStringLiteral("chainmm"), QStringLiteral("uniform:4"),
                         cost::CostModel::Published);
        sim::Assignment assignment(76, 0);
        for (std::size_t op = 0; op < assignment.size(); ++op) {
            assignment[op] = static_cast<DeviceId>(op % 4);
        }
        workspace_->addPlacement(assignment, QStringLiteral("test"), 0, 0);
        QTRY_VERIFY_WITH_TIMEOUT(!canvas().isLayoutRunning(), 30'000);
        QVERIFY(!canvas().geometry().isEmpty());
        canvas().grab();
    }

    void cleanup() {
        view_.reset();
        appearance_.reset();
        workspace_.reset();
    }

    void clickSelectsAndTellsAllViews() {
        const QSignalSpy changed(&workspace_->selection(), &Selection::changed);
        click(28);
        QCOMPARE(selected(), std::set<OpId>{28});
        QCOMPARE(workspace_->selection().current(), 28);
        QCOMPARE(changed.count(), 1);
        click(30, Qt::ControlModifier);
        click(31, Qt::ShiftModifier);
        QCOMPARE(selected(), (std::set<OpId>{28, 30, 31}));
        click(30, Qt::ControlModifier);
        QCOMPARE(selected(), (std::set<OpId>{28, 31}));
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, QPoint(canvas().width() - 4, 200));
        QVERIFY(selected().empty());
    }

    void aSelectionMadeElsewhereIsShown() {
        const QRectF node = canvas().geometry().nodeInView(20);
        const QPointF onRing(node.center().x(), node.bottom() + 3.5);
        QVERIFY(pixel(onRing) != appearance_->theme().accent);
        workspace_->selection().select(20);
        const QColor ring = pixel(onRing);
        const QColor accent = appearance_->theme().accent;
        QVERIFY2(qAbs(ring.red() - accent.red()) + qAbs(ring.blue() - accent.blue()) < 60,
                 qPrintable(ring.name()));
    }

    void hoverIsShared() {
        QTest::mouseMove(&canvas(), at(21));
        QCOMPARE(workspace_->selection().hovered(), 21);
        QTest::mouseMove(&canvas(), QPoint(canvas().width() - 4, 200));
        QCOMPARE(workspace_->selection().hovered(), kNoOp);
    }

    void hoverCardSaysWhatAndWhere() {
        QTest::mouseMove(&canvas(), at(21));
        auto* card = canvas().findChild<HoverCard*>();
        QTRY_VERIFY(card->isVisible());
        for (const char* word : {"mm 21", "contraction", "B", "50.0 MB"}) {
            QVERIFY2(card->text().contains(QLatin1String(word)), word);
        }
        QVERIFY(canvas().rect().contains(card->geometry()));
    }

    void rectangleSelects() {
        const QRect around = canvas()
                                 .geometry()
                                 .nodeInView(4)
                                 .toRect()
                                 .united(canvas().geometry().nodeInView(5).toRect())
                                 .adjusted(-3, -3, 3, 3);
        drag({around.topLeft(), around.center(), around.bottomRight()});
        QCOMPARE(selected(), (std::set<OpId>{4, 5}));
        click(28);
        drag({around.topLeft(), around.center(), around.bottomRight()}, Qt::ShiftModifier);
        QCOMPARE(selected(), (std::set<OpId>{4, 5, 28}));
    }

    void lassoSelectsByOutlineAndEscapeLeavesIt() {
        view_->setLassoMode(true);
        const QPoint c = at(70);
        drag({c + QPoint(-18, -18), c + QPoint(18, -18), c + QPoint(18, 18), c + QPoint(-18, 18)});
        QCOMPARE(selected(), std::set<OpId>{70});
        const QSignalSpy left(view_.get(), &GraphView::lassoModeChanged);
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QVERIFY(!view_->isLassoMode());
        QCOMPARE(left.count(), 1);
        QCOMPARE(selected(), std::set<OpId>{70}); // the second one clears
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QVERIFY(selected().empty());
    }

    void keysAssignAndPinUndoably() {
        const Time before = workspace_->current()->makespan();
        click(28);
        QCOMPARE(deviceOf(28), 0);
        QTest::keyClick(&canvas(), Qt::Key_3);
        QCOMPARE(deviceOf(28), 2);
        QTest::keyClick(&canvas(), Qt::Key_9); // there is no ninth device
        QCOMPARE(deviceOf(28), 2);
        QTest::keyClick(&canvas(), Qt::Key_P);
        QVERIFY(workspace_->isPinned(28));
        QTest::keyClick(&canvas(), Qt::Key_P);
        QVERIFY(!workspace_->isPinned(28));
        while (workspace_->undoStack().index() > 1) { // the first step added the placement
            workspace_->undoStack().undo();
        }
        QCOMPARE(deviceOf(28), 0);
        QCOMPARE(workspace_->current()->makespan(), before);
    }

    void dragToAChipAssignsAsOneStep() {
        const int steps = workspace_->undoStack().count();
        click(28);
        drag({at(28), at(28) + QPoint(0, 15)}, {}, false);
        QCOMPARE(canvas().mouse().mode(), CanvasMouse::Mode::Dragging);
        const ChipStrip chips = canvas().mouse().chips();
        QVERIFY(canvas().geometry().viewRect().contains(chips.rect()));
        for (const DeviceId device : {1, 2, 3}) { // what it would do shows on the way
            QTest::mouseMove(&canvas(), chips.chip(device).center().toPoint());
            QCOMPARE(deviceOf(28), device);
        }
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, chips.chip(3).center().toPoint());
        QCOMPARE(deviceOf(28), 3);
        QCOMPARE(workspace_->undoStack().count(), steps + 1);
        workspace_->undoStack().undo();
        QCOMPARE(deviceOf(28), 0);
    }

    void dropBesideTheChipsChangesNothing() {
        const int index = workspace_->undoStack().index();
        drag({at(28), at(28) + QPoint(0, 15)}, {}, false);
        const ChipStrip chips = canvas().mouse().chips();
        QTest::mouseMove(&canvas(), chips.chip(2).center().toPoint());
        QCOMPARE(deviceOf(28), 2);
        QTest::mouseMove(&canvas(), QPoint(2, 2));
        QCOMPARE(deviceOf(28), 0);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, QPoint(2, 2));
        QCOMPARE(workspace_->undoStack().index(), index);

        drag({at(28), at(28) + QPoint(0, 15), chips.chip(2).center().toPoint()}, {}, false);
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QCOMPARE(deviceOf(28), 0);
        QCOMPARE(selected(), std::set<OpId>{28});
    }

    void arrowsFollowTheTimeline() {
        click(70);
        QTest::keyClick(&canvas(), Qt::Key_Up);
        const OpId producer = workspace_->selection().current();
        const auto graph = workspace_->problem()->graph;
        bool isProducer = false;
        for (const EdgeId edge : graph->inEdges(70)) {
            isProducer = isProducer || graph->source(edge) == producer;
        }
        QVERIFY(isProducer);
        QTest::keyClick(&canvas(), Qt::Key_Down);
        QCOMPARE(workspace_->selection().current(), 70);
        QTest::keyClick(&canvas(), Qt::Key_Left);
        const OpId before = workspace_->selection().current();
        QCOMPARE(deviceOf(before), deviceOf(70));
        QTest::keyClick(&canvas(), Qt::Key_Right);
        QCOMPARE(workspace_->selection().current(), 70);
    }

    void wheelZoomsAtThePointerAndPansWithShift() {
        const QPointF pointer = canvas().geometry().nodeInView(28).center();
        const double zoom = canvas().geometry().transform().zoom;
        const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
            QWheelEvent event(pointer, canvas().mapToGlobal(pointer), {}, {0, 240}, Qt::NoButton,
                              modifiers, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&canvas(), &event);
        };
        wheel({});
        QVERIFY(canvas().geometry().transform().zoom > zoom * 1.3);
        QVERIFY((canvas().geometry().nodeInView(28).center() - pointer).manhattanLength() < 1);
        const double zoomed = canvas().geometry().transform().zoom;
        wheel(Qt::ShiftModifier);
        QCOMPARE(canvas().geometry().transform().zoom, zoomed);
        QVERIFY(canvas().geometry().nodeInView(28).center().x() > pointer.x() + 20);
        QTest::keyClick(&canvas(), Qt::Key_F);
        QVERIFY(canvas().geometry().isFitted());
        QTest::keyClick(&canvas(), Qt::Key_0);
        QCOMPARE(canvas().geometry().transform().zoom, 1.0);
    }

    void middleButtonPansAndTheMinimapMovesTheView() {
        view_->resetZoom();
        view_->zoomIn();
        canvas().grab();
        const QPointF before = canvas().geometry().transform().offset;
        QTest::mousePress(&canvas(), Qt::MiddleButton, {}, QPoint(400, 200));
        QTest::mouseMove(&canvas(), QPoint(370, 190));
        QTest::mouseRelease(&canvas(), Qt::MiddleButton, {}, QPoint(370, 190));
        QCOMPARE(canvas().geometry().transform().offset, before + QPointF(-30, -10));
        const QRectF map = canvas().overlays().minimapRect();
        QVERIFY(!map.isEmpty());
        QTest::mouseClick(&canvas(), Qt::LeftButton, {},
                          QPointF(map.right() - 8, map.center().y()).toPoint());
        QVERIFY(canvas().geometry().visibleScene().center().x() >
                canvas().geometry().layout()->bounds.center().x());
    }

    void searchDimsWhatDoesNotMatchAndStepsThrough() {
        QCOMPARE(view_->find(QStringLiteral("formation")), 20);
        const OpId first = workspace_->selection().current();
        QCOMPARE(first, 16);
        const Theme& theme = appearance_->theme();
        QCOMPARE(fill(18), theme.device(deviceOf(18)).fill.rgb());
        QCOMPARE(fill(3), (theme.mixed(theme.device(deviceOf(3)).fill, 0.3)).rgb());
        view_->findNext(true);
        QCOMPARE(workspace_->selection().current(), 17);
        view_->findNext(false);
        QCOMPARE(workspace_->selection().current(), 16);
        QCOMPARE(view_->find({}), 0);
        QCOMPARE(fill(3), theme.device(deviceOf(3)).fill.rgb());
    }

    void coloursFollowTheMode() {
        for (const bool dark : {false, true}) {
            appearance_->setDark(dark);
            const Theme& theme = appearance_->theme();
            workspace_->viewState().setColourBy(ColourBy::Device);
            QCOMPARE(fill(1), theme.device(1).fill.rgb());
            workspace_->viewState().setColourBy(ColourBy::Kind);
            QCOMPARE(fill(1), (kindColour(theme, graph::OpKind::Contraction)).rgb());
            workspace_->viewState().setColourBy(ColourBy::Cost);
            QCOMPARE(fill(1), (scaleColour(theme, 1)).rgb()); // products cost more than sums
            workspace_->viewState().setColourBy(ColourBy::MoveGain);
            QCOMPARE(fill(1), theme.device(1).fill.rgb()); // not computed yet
            std::vector<Time> gains(76, 0);
            gains[1] = 1000;
            canvas().setMoveGain(gains);
            QCOMPARE(fill(1), (scaleColour(theme, 1)).rgb());
            QCOMPARE(fill(2), (scaleColour(theme, 0)).rgb());
            canvas().setMoveGain({});
        }
        auto* box = view_->findChild<QComboBox*>();
        QCOMPARE(box->currentText(), QStringLiteral("Colour: gain of a move"));
        box->setCurrentIndex(0);
        Q_EMIT box->activated(0);
        QCOMPARE(workspace_->viewState().colourBy(), ColourBy::Device);
    }

    void speaksOfTheCurrentOp() {
        QCOMPARE(canvas().accessibleName(), QStringLiteral("Graph canvas"));
        click(28);
        const QString spoken = canvas().accessibleName();
        QVERIFY2(spoken.startsWith(QStringLiteral("mm 28, contraction, device A, ")),
                 qPrintable(spoken));
        QVERIFY2(spoken.contains(QStringLiteral(" to ")), qPrintable(spoken));
    }

    void criticalOpsAreDrawnInInk() {
        const sim::Report& report = *workspace_->current()->report;
        OpId critical = kNoOp;
        for (const std::int32_t index : report.criticalChain) {
            const auto& interval =
                workspace_->current()->timeline->intervals[static_cast<std::size_t>(index)];
            critical = interval.isTransfer() ? critical : interval.op;
        }
        QVERIFY(critical != kNoOp);
        const QRectF node = canvas().geometry().nodeInView(critical);
        const QPointF border(node.left() + 0.5, node.center().y());
        const QColor ink = appearance_->theme().ink;
        const auto isInk = [&] {
            const QColor colour = pixel(border);
            return qAbs(colour.red() - ink.red()) + qAbs(colour.green() - ink.green()) < 80;
        };
        QVERIFY(isInk());
        workspace_->viewState().setShowCriticalChain(false);
        QVERIFY(!isInk());
    }

    void groupsCollapseIntoBoxesThatAct() {
        openLlama("llama-layer:layers=3,size=tiny");
        QVERIFY(canvas().hasGroups());
        QVERIFY(!canvas().geometry().folds()); // small graphs begin with all ops
        QTest::keyClick(&canvas(), Qt::Key_Backspace, Qt::ShiftModifier);
        QVERIFY(settled());
        QVERIFY(canvas().geometry().folds());
        const std::int32_t layer = group("layer 2");
        const std::vector<OpId> ops = canvas().groups()->tree().opsOf(layer);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, boxMiddle(layer));
        QCOMPARE(selected(), (std::set<OpId>(ops.begin(), ops.end())));

        // The key moves the whole group, as one step.
        const int history = workspace_->undoStack().index();
        QTest::keyClick(&canvas(), Qt::Key_3);
        for (const OpId op : ops) {
            QCOMPARE(deviceOf(op), DeviceId(2));
        }
        QCOMPARE(workspace_->undoStack().index(), history + 1);
        workspace_->undoStack().undo();
        QVERIFY(deviceOf(ops[1]) != deviceOf(ops[0]) || deviceOf(ops[2]) != deviceOf(ops[0]));

        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::ControlModifier, boxMiddle(layer));
        QVERIFY(selected().empty());
    }

    void groupsExpandInPlaceAndCollapseAgain() {
        openLlama("llama-layer:layers=3,size=tiny");
        canvas().collapseAll();
        QVERIFY(settled());
        const std::int32_t layer = group("layer 2");
        QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, boxMiddle(layer));
        QVERIFY(settled());
        QVERIFY(!canvas().groups()->isCollapsed(layer));
        const auto folds = canvas().geometry().folds();
        const std::int32_t inner = group("layer 2/softmax");
        QVERIFY(folds->boxes[static_cast<std::size_t>(folds->boxOf(inner))].collapsed);
        QVERIFY(canvas().geometry().viewRect().contains(
            canvas().geometry().boxInView(folds->boxOf(layer)).topLeft()));

        // Enter opens what hides the current op, Backspace closes what is around it.
        const OpId op = canvas().groups()->tree().opsOf(inner).front();
        workspace_->selection().select(op);
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QVERIFY(settled());
        QVERIFY(!canvas().geometry().folds()->isHidden(op));
        QTest::keyClick(&canvas(), Qt::Key_Backspace);
        QVERIFY(settled());
        QVERIFY(canvas().geometry().folds()->isHidden(op));
        QTest::keyClick(&canvas(), Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(settled());
        QVERIFY(!canvas().anyCollapsed());
        QVERIFY(!canvas().geometry().folds());
    }

    void theSignOfABoxTogglesIt() {
        openLlama("llama-layer:layers=3,size=tiny");
        canvas().collapseAll();
        QVERIFY(settled());
        const std::int32_t layer = group("layer 1");
        const std::int32_t box = canvas().geometry().folds()->boxOf(layer);
        const QRectF sign = canvas().geometry().toggleInView(box);
        QVERIFY(!sign.isEmpty());
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, sign.center().toPoint());
        QVERIFY(settled());
        QVERIFY(!canvas().groups()->isCollapsed(layer));
        QVERIFY(selected().empty());
    }

    void boxesActWhileALayoutIsMadeAndAfterItIsGivenUp() {
        openLlama("llama-layer:layers=3,size=tiny");
        canvas().collapseAll();
        QVERIFY(settled());
        const std::int32_t layer = group("layer 2");
        QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, boxMiddle(layer));
        QVERIFY(!canvas().groups()->isCollapsed(layer));
        QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, boxMiddle(layer)); // the same picture yet
        QVERIFY(canvas().groups()->isCollapsed(layer));
        QVERIFY(settled());

        QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, boxMiddle(layer));
        workspace_->jobs().cancelAll();
        QVERIFY(settled());
        QVERIFY(canvas().groups()->isCollapsed(layer)); // as on screen
        QVERIFY(*canvas().groups() == *canvas().geometry().folds()->fold);
        QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, boxMiddle(layer));
        QVERIFY(settled());
        QVERIFY(*canvas().groups() == *canvas().geometry().folds()->fold);
        QVERIFY(!canvas().groups()->isCollapsed(layer));
    }

    void opsOfNoKnownKindAreOthersInTheLegend() {
        openLlama("random:ops=60");
        const Theme theme = Theme::light();
        const NodePalette palette = makePalette(canvas().scene(), theme);
        const CriticalParts critical;
        const QStringList texts = LegendPainter(canvas().scene(), palette, critical, theme).texts();
        QVERIFY(texts.contains(QStringLiteral("other")));
        QVERIFY(!texts.contains(QStringLiteral("elementwise")));
    }

    void largeGraphsStartCollapsed() {
        openLlama("llama-layer:layers=14,size=tiny");
        QVERIFY(workspace_->problem()->opCount() > 2'500);
        QVERIFY(canvas().anyCollapsed());
        QVERIFY(canvas().geometry().folds()->boxes.size() < 30);
        // An op that is looked for shows as the box it is in.
        const OpId op = canvas().groups()->tree().opsOf(group("layer 7")).front();
        workspace_->selection().reveal(op);
        QCOMPARE(
            canvas().geometry().nodeInView(op),
            canvas().geometry().boxInView(canvas().geometry().folds()->boxOf(group("layer 7"))));
        canvas().grab();
        // Expanded they are frames of the same layout.
        canvas().expandAll();
        QVERIFY(settled());
        QVERIFY(canvas().geometry().folds());
        QVERIFY(!canvas().geometry().folds()->isHidden(op));
        canvas().grab();
    }

    void closingAndOpeningAnotherGraphIsSafeDuringALayout() {
        auto problem =
            sim::makeProblem(workload::generate("random:ops=3000"),
                             std::make_shared<const cluster::Cluster>(cluster::uniformCluster(2)),
                             cost::CostModel::Physical, {});
        workspace_->open(problem, {}, {}, cost::CostModel::Physical);
        canvas().grab();
        workspace_->close();
        canvas().grab();
        QVERIFY(canvas().geometry().isEmpty());
        workspace_->open(problem, {}, {}, cost::CostModel::Physical);
        view_.reset(); // while it runs
        QTest::qWait(50);
    }
};

QTEST_MAIN(TestGraphCanvas)
#include "TestGraphCanvas.moc"
