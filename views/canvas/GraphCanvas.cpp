#include "views/canvas/GraphCanvas.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QPainterPath>
#include <QStyleHints>

#include "views/canvas/GroupText.h"
#include "views/canvas/OpText.h"
#include "views/format/ShownText.h"
#include "views/running/RealResult.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {
constexpr int kCardDelayMs = 450;
constexpr int kRestMs = 90;
constexpr int kBusyStepMs = 60;
constexpr double kZoomStep = 1.25;
constexpr double kBusyHeight = 3;
constexpr double kBusyWidth = 0.25; // of the canvas
constexpr int kBusySteps = 32;
constexpr double kDraggedChip = 18;
} // namespace

GraphCanvas::GraphCanvas(Workspace& workspace, Appearance& appearance,
                         std::shared_ptr<LayoutLibrary> library, QWidget* parent)
    : QWidget(parent)
    , workspace_(workspace)
    , appearance_(appearance)
    , layouts_(workspace.jobs(), std::move(library))
    , mouse_(workspace, geometry_, overlays_)
    , card_(new HoverCard(appearance, this)) {
    setObjectName(QStringLiteral("graphCanvas"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Graph canvas"));
    setAccessibleDescription(tr("Ops and edges of the open graph. Arrow keys step between ops, 1 "
                                "to 9 assign the selected ops to a device."));

    cardTimer_.setSingleShot(true);
    cardTimer_.setInterval(kCardDelayMs);
    connect(&cardTimer_, &QTimer::timeout, this, &GraphCanvas::showCard);
    restTimer_.setSingleShot(true);
    restTimer_.setInterval(kRestMs);
    connect(&restTimer_, &QTimer::timeout, this, [this] {
        moving_ = false;
        if (picture_.isDraft()) {
            update();
        }
    });
    busyTimer_.setInterval(kBusyStepMs);
    connect(&busyTimer_, &QTimer::timeout, this, [this] {
        busyStep_ = (busyStep_ + 1) % kBusySteps;
        update(QRect(0, 0, width(), static_cast<int>(kBusyHeight)));
    });

    connect(&layouts_, &CanvasLayouts::ready, this, &GraphCanvas::showLayout);
    connect(&layouts_, &CanvasLayouts::folded, this, &GraphCanvas::showFolds);
    connect(&layouts_, &CanvasLayouts::foldGivenUp, this, &GraphCanvas::restoreGroups);
    connect(&layouts_, &CanvasLayouts::notice, this, &GraphCanvas::notice);
    connect(&layouts_, &CanvasLayouts::runningChanged, this, [this] {
        layouts_.isRunning() ? busyTimer_.start() : busyTimer_.stop();
        Q_EMIT layoutRunningChanged();
        update();
    });
    connect(&workspace_, &Workspace::graphChanged, this, [this] {
        mouse_.cancel();
        matches_.clear();
        moveGain_.clear();
        hoveredBox_ = -1;
        resetGroups();
        sceneChanged();
        requestLayout();
        announceGroups();
    });
    for (const auto signal : {&Workspace::problemChanged, &Workspace::assignmentChanged,
                              &Workspace::timelineChanged, &Workspace::pinsChanged}) {
        connect(&workspace_, signal, this, &GraphCanvas::sceneChanged);
    }
    connect(&workspace_.viewState(), &ViewState::changed, this, &GraphCanvas::sceneChanged);
    connect(&appearance_, &Appearance::changed, this, &GraphCanvas::sceneChanged);
    Selection& selection = workspace_.selection();
    connect(&selection, &Selection::changed, this, [this] {
        announceCurrent();
        update();
    });
    connect(&selection, &Selection::hoveredChanged, this, qOverload<>(&QWidget::update));
    connect(&selection, &Selection::revealRequested, this, &GraphCanvas::reveal);
    if (workspace_.hasProblem()) {
        resetGroups();
        requestLayout();
        announceGroups();
    }
}

GraphCanvas::~GraphCanvas() = default;

// --- scene -------------------------------------------------------------------------------------

void GraphCanvas::sceneChanged() {
    card_->hide(); // what it says may be about another device by now
    sceneDirty_ = true;
    update();
}

const CanvasScene& GraphCanvas::scene() {
    refreshScene();
    return scene_;
}

void GraphCanvas::refreshScene() {
    if (!sceneDirty_) {
        return;
    }
    sceneDirty_ = false;
    const bool hadLegend = !overlays_.legendRect().isEmpty();
    const std::size_t rows = picture_.palette().keys.size() + picture_.palette().ramp.size();
    CanvasScene scene;
    scene.problem = workspace_.problem();
    if (scene.problem && geometry_.layout() &&
        geometry_.layout()->opCount() == scene.problem->opCount()) {
        scene.layout = geometry_.sharedLayout();
        scene.folds = geometry_.folds();
    }
    if (const Placement* shown = workspace_.current()) {
        scene.assignment = shown->assignment;
        if (!shown->stale) {
            scene.timeline = shown->timeline;
            scene.report = shown->report;
        }
    }
    scene.moveGain = moveGain_;
    if (const Placement* shown = workspace_.current(); shown != nullptr && shown->real) {
        scene.measuredRatio = shown->real->ratios(*scene.problem, *shown->assignment);
    }
    scene.colourBy = workspace_.viewState().colourBy();
    scene.showCriticalChain = workspace_.viewState().showCriticalChain();
    scene.crossDeviceOnly = crossDeviceOnly_;
    scene_ = std::move(scene);
    picture_.prepare(scene_, appearance_.theme());
    legend_ = std::make_unique<LegendPainter>(scene_, picture_.palette(), picture_.critical(),
                                              appearance_.theme());
    overlays_.forgetMinimap();
    const std::size_t rowsNow = picture_.palette().keys.size() + picture_.palette().ramp.size();
    if (rows != rowsNow || legend_->size() != overlays_.legendRect().size() || !hadLegend) {
        overlaysDirty_ = true;
    }
    announceCurrent();
}

void GraphCanvas::showLayout(std::shared_ptr<const GraphLayout> layout) {
    mouse_.cancel();
    const bool fitted = geometry_.isFitted() || geometry_.isEmpty() || fitNext_;
    fitNext_ = false;
    hoveredBox_ = -1;
    geometry_.setLayout(std::move(layout));
    if (fitted) {
        geometry_.fitAll();
    }
    overlaysDirty_ = true;
    sceneChanged();
    Q_EMIT zoomChanged();
}

CanvasMarks GraphCanvas::marks() const {
    CanvasMarks marks;
    const Selection& selection = workspace_.selection();
    marks.selected = selection.ops();
    if (mouse_.preview()) {
        marks.selected.insert(mouse_.preview()->begin(), mouse_.preview()->end());
    }
    marks.hovered = selection.hovered();
    marks.hoveredBox = hoveredBox_;
    marks.matches = matches_;
    return marks;
}

QString GraphCanvas::omissionText() const {
    switch (shownOmission_) {
    case EdgeOmission::Local:
        return tr("local edges hidden");
    case EdgeOmission::Thinned:
        return tr("most edges hidden, zoom in");
    default:
        return {};
    }
}

void GraphCanvas::setLasso(bool on) {
    if (mouse_.lasso != on) {
        mouse_.lasso = on;
        updateCursor();
        Q_EMIT lassoChanged(on);
    }
}

void GraphCanvas::setMatches(std::vector<std::uint8_t> matches) {
    matches_ = std::move(matches);
    picture_.filterChanged();
    update();
}

void GraphCanvas::setMoveGain(std::vector<Time> gain) {
    moveGain_ = std::move(gain);
    if (workspace_.viewState().colourBy() == ColourBy::MoveGain) {
        sceneChanged();
    }
}

void GraphCanvas::setCrossDeviceOnly(bool on) {
    crossDeviceOnly_ = on;
    sceneChanged();
}

void GraphCanvas::setLegendVisible(bool on) {
    overlays_.showLegend = on;
    overlaysDirty_ = true;
    update();
}

void GraphCanvas::setMinimapVisible(bool on) {
    overlays_.showMinimap = on;
    overlaysDirty_ = true;
    update();
}

// --- view --------------------------------------------------------------------------------------

void GraphCanvas::viewMoved() {
    moving_ = true;
    restTimer_.start();
    if (overlays_.showMinimap && overlays_.minimapRect().isEmpty()) {
        overlaysDirty_ = true;
    }
    card_->hide();
    update();
    Q_EMIT zoomChanged();
}

void GraphCanvas::zoomIn() {
    geometry_.zoomAt(geometry_.viewRect().center(), kZoomStep);
    viewMoved();
}

void GraphCanvas::zoomOut() {
    geometry_.zoomAt(geometry_.viewRect().center(), 1 / kZoomStep);
    viewMoved();
}

void GraphCanvas::resetZoom() {
    const OpId current = workspace_.selection().current();
    geometry_.setZoom(1);
    if (current != kNoOp && !geometry_.isEmpty()) {
        geometry_.centreOn(geometry_.transform().toScene(geometry_.nodeInView(current).center()));
    }
    viewMoved();
}

void GraphCanvas::fitAll() {
    geometry_.fitAll();
    overlaysDirty_ = true;
    viewMoved();
}

void GraphCanvas::fit() {
    const CanvasTransform before = geometry_.transform();
    geometry_.fit(workspace_.selection().ops());
    if (geometry_.transform() == before || geometry_.isFitted()) {
        fitAll();
    } else {
        viewMoved();
    }
}

void GraphCanvas::reveal(OpId op) {
    if (geometry_.isEmpty() || op < 0 || op >= geometry_.layout()->opCount()) {
        return;
    }
    const CanvasTransform before = geometry_.transform();
    geometry_.reveal(op);
    if (geometry_.transform() != before) {
        viewMoved();
    }
}

void GraphCanvas::arrangeOverlays() {
    overlaysDirty_ = false;
    const double zoom = geometry_.transform().zoom;
    overlays_.arrange(geometry_, scene_.isEmpty() ? QSizeF() : legend_->size());
    if (zoom != geometry_.transform().zoom) {
        // The label in the header follows once this paint is over.
        QMetaObject::invokeMethod(this, &GraphCanvas::zoomChanged, Qt::QueuedConnection);
    }
}

void GraphCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    geometry_.setViewSize(size());
    overlaysDirty_ = true;
    viewMoved();
}

// --- painting ----------------------------------------------------------------------------------

void GraphCanvas::paintEvent(QPaintEvent*) {
    refreshScene();
    if (overlaysDirty_) {
        arrangeOverlays();
    }
    QPainter painter(this);
    const Theme& theme = appearance_.theme();
    picture_.paint(painter, geometry_.transform(), size(), marks(), moving_);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!scene_.isEmpty()) {
        overlays_.paintLegend(painter, *legend_, mouse_.isBusy() ? QPointF(-1, -1) : pointer_);
        overlays_.paintMinimap(painter, scene_, picture_.palette(), geometry_, theme);
    } else if (scene_.problem && scene_.graph().opCount() == 0) {
        paintMessage(painter, tr("This graph has no ops"));
    } else if (!scene_.problem) {
        paintMessage(painter, tr("Open a graph to see it here"));
    }
    paintGesture(painter);
    if (layouts_.isRunning()) {
        paintBusyBar(painter);
    }
    if (keyboardFocus_) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
    if (picture_.omission() != shownOmission_) {
        shownOmission_ = picture_.omission();
        QMetaObject::invokeMethod(this, &GraphCanvas::omissionChanged, Qt::QueuedConnection);
    }
}

void GraphCanvas::paintGesture(QPainter& painter) const {
    const Theme& theme = appearance_.theme();
    if (mouse_.mode() == CanvasMouse::Mode::Selecting) {
        QColor inside = theme.accent;
        inside.setAlpha(28);
        painter.setBrush(inside);
        painter.setPen(QPen(theme.accent, 1.2, Qt::DashLine));
        painter.drawPolygon(mouse_.outline());
    } else if (mouse_.mode() == CanvasMouse::Mode::Dragging) {
        mouse_.chips().paint(painter, theme, mouse_.dropTarget());
        // What is being dragged hangs on the pointer.
        const auto count = mouse_.draggedOps().size();
        const QString text = count == 1
                                 ? shownText(scene_.graph().opName(*mouse_.draggedOps().begin()))
                                 : tr("%1 ops").arg(count);
        painter.setFont(fontOfSize(12, true));
        const double textWidth = painter.fontMetrics().horizontalAdvance(text) + 12.0;
        QRectF label(mouse_.pointer() + QPointF(14, -24), QSizeF(textWidth, kDraggedChip));
        label.moveRight(std::min(label.right(), width() - 2.0));
        label.moveTop(std::max(label.top(), 2.0));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawRoundedRect(label, 3, 3);
        painter.setPen(theme.onAccent);
        painter.drawText(label, Qt::AlignCenter, text);
    }
}

void GraphCanvas::paintMessage(QPainter& painter, const QString& text) const {
    painter.setPen(appearance_.theme().secondary);
    painter.setFont(fontOfSize(13));
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void GraphCanvas::paintBusyBar(QPainter& painter) const {
    const double share = static_cast<double>(busyStep_) / kBusySteps;
    const double length = width() * kBusyWidth;
    painter.fillRect(QRectF(share * (width() + length) - length, 0, length, kBusyHeight),
                     appearance_.theme().accent);
}

// --- hover and words ---------------------------------------------------------------------------

void GraphCanvas::updateHover(const QPointF& point) {
    const bool wasOnLegend = overlays_.legendRect().contains(pointer_);
    pointer_ = point;
    if (wasOnLegend != overlays_.legendRect().contains(point)) {
        update();
    }
    const bool onMap = overlays_.minimapRect().contains(point);
    const OpId op = onMap || mouse_.isBusy() ? kNoOp : geometry_.opAt(point);
    const std::int32_t box = onMap || mouse_.isBusy() || op != kNoOp ? -1 : geometry_.boxAt(point);
    if (box != hoveredBox_) {
        card_->hide();
        hoveredBox_ = box;
        updateCursor();
        update();
    }
    if (op != workspace_.selection().hovered()) {
        card_->hide();
        workspace_.selection().setHovered(op);
        updateCursor();
    }
    if (op == kNoOp && box < 0) {
        cardTimer_.stop();
    } else if (!card_->isVisible()) {
        cardTimer_.start();
    }
}

void GraphCanvas::showCard() {
    const OpId op = workspace_.selection().hovered();
    refreshScene();
    if (scene_.isEmpty() || !underMouse() || mouse_.isBusy()) {
        return;
    }
    if (hoveredBox_ >= 0 && scene_.folds) {
        const GroupBox& box = scene_.folds->boxes[static_cast<std::size_t>(hoveredBox_)];
        card_->showAt(pointer_, groupCard(scene_, box.group, appearance_.theme()));
        return;
    }
    if (op == kNoOp) {
        return;
    }
    card_->showAt(pointer_, opCard(scene_, op, picture_.critical().op(op), appearance_.theme()));
}

void GraphCanvas::announceCurrent() {
    const OpId current = workspace_.selection().current();
    const bool known =
        current != kNoOp && scene_.problem && !sceneDirty_ && current < scene_.problem->opCount();
    const auto others = workspace_.selection().ops().size();
    QString text =
        known ? spokenOp(scene_, current, picture_.critical().op(current)) : tr("Graph canvas");
    if (others > 1) {
        text = tr("%1 ops selected; %2").arg(others).arg(text);
    }
    if (text != accessibleName()) {
        setAccessibleName(text);
    }
}

} // namespace doppler::views
