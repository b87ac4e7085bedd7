#include "views/gantt/GanttInput.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "views/format/Format.h"
#include "views/gantt/GanttDrag.h"
#include "views/gantt/GanttNavigation.h"

namespace doppler::views {

namespace {

constexpr double kZoomPerNotch = 1.2;
constexpr double kWheelNotch = 120;
constexpr double kPanPerNotch = 60;
constexpr double kScrollPerNotch = 48;
constexpr double kSnapPixels = 8;

bool isLane(GanttHit::Part part) {
    return part == GanttHit::Part::Compute || part == GanttHit::Part::Link;
}

} // namespace

GanttInput::GanttInput(GanttPlot& plot, Workspace& workspace)
    : QObject(&plot), plot_(plot), workspace_(workspace) {
    plot_.installEventFilter(this);
    // A drag names ops of the graph it began on.
    connect(&workspace_, &Workspace::graphChanged, this, [this] {
        drag_.reset();
        plot_.unsetCursor();
    });
}

GanttInput::~GanttInput() = default;

bool GanttInput::isDraggingOp() const {
    return drag_ && drag_->kind == Drag::Kind::MoveOps && drag_->moved;
}

const GanttTrack* GanttInput::track(int index) const {
    const auto& tracks = plot_.scene().tracks;
    return index >= 0 && index < static_cast<int>(tracks.size())
               ? &tracks[static_cast<std::size_t>(index)]
               : nullptr;
}

bool GanttInput::eventFilter(QObject*, QEvent* event) {
    if (plot_.scene().tracks.empty()) {
        return false;
    }
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return mousePress(static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
        return mouseMove(static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
        return mouseRelease(static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonDblClick:
        return doubleClick(static_cast<QMouseEvent*>(event));
    case QEvent::Wheel:
        return wheel(static_cast<QWheelEvent*>(event));
    case QEvent::ContextMenu:
        return contextMenu(static_cast<QContextMenuEvent*>(event));
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress:
        return keyPress(static_cast<QKeyEvent*>(event));
    case QEvent::Leave:
        workspace_.selection().setHovered(kNoOp);
        plot_.changeOverlay([](GanttOverlay& overlay) { overlay.hoveredTransfer = {}; });
        Q_EMIT pointed({}, {});
        return false;
    case QEvent::FocusIn: {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        const bool byKey = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
                           reason == Qt::ShortcutFocusReason;
        plot_.changeOverlay([byKey](GanttOverlay& overlay) { overlay.focusFrame = byKey; });
        return false;
    }
    case QEvent::FocusOut:
        plot_.changeOverlay([](GanttOverlay& overlay) { overlay.focusFrame = false; });
        return false;
    default:
        return false;
    }
}

// --- mouse -------------------------------------------------------------------------------------

std::unique_ptr<GanttInput::Drag> GanttInput::dragFor(QMouseEvent* event) {
    auto drag = std::make_unique<Drag>();
    drag->start = event->position();
    drag->last = drag->start;
    drag->toggle = event->modifiers().testFlag(Qt::ControlModifier);
    const GanttHit hit = plot_.geometryOf().hit(drag->start);
    if (event->button() == Qt::MiddleButton) {
        drag->kind = Drag::Kind::Pan;
        return drag;
    }
    if (hit.part == GanttHit::Part::Axis) {
        drag->kind = Drag::Kind::PlayHead;
        return drag;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier) && isLane(hit.part)) {
        drag->kind = Drag::Kind::RubberBand;
        return drag;
    }
    if (workspace_.viewState().measuring() && isLane(hit.part)) {
        drag->kind = Drag::Kind::Measure;
        drag->from = snapped(drag->start);
        return drag;
    }
    const IntervalRef ref = plot_.intervalAt(drag->start);
    const GanttTrack* source = track(ref.track);
    if (source == nullptr) {
        drag->kind = hit.part == GanttHit::Part::Chip ? Drag::Kind::Click : Drag::Kind::Pan;
        return drag;
    }
    const sim::Interval& interval = source->interval(ref.interval);
    // Only the shown placement can be edited, and only by its executions.
    const Placement* edited = workspace_.committed();
    if (!interval.isTransfer() && ref.track == 0 && edited != nullptr && !drag->toggle) {
        drag->kind = Drag::Kind::MoveOps;
        const Selection& selection = workspace_.selection();
        drag->ops = selection.contains(interval.op) ? selection.ops() : std::set{interval.op};
        drag->device = interval.device;
        drag->undoIndex = workspace_.undoStack().index();
        drag->placement = edited->id;
        drag->makespan = edited->makespan();
    }
    return drag;
}

bool GanttInput::mousePress(QMouseEvent* event) {
    plot_.setFocus(Qt::MouseFocusReason);
    Q_EMIT pointed({}, {});
    if (drag_ || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)) {
        return true;
    }
    drag_ = dragFor(event);
    if (drag_->kind == Drag::Kind::PlayHead) {
        const double time = plot_.geometryOf().time(drag_->start.x());
        workspace_.viewState().setPlayHead(
            std::clamp<Time>(static_cast<Time>(time), 0, plot_.scene().end()));
    }
    return true;
}

bool GanttInput::mouseMove(QMouseEvent* event) {
    const QPointF point = event->position();
    if (!drag_) {
        hover(point);
        return true;
    }
    drag_->moved = drag_->moved ||
                   (point - drag_->start).manhattanLength() >= QApplication::startDragDistance();
    if (!drag_->moved) {
        return true;
    }
    switch (drag_->kind) {
    case Drag::Kind::Click:
        break;
    case Drag::Kind::Pan:
        plot_.setCursor(Qt::ClosedHandCursor);
        plot_.pan(point.x() - drag_->last.x());
        plot_.setScroll(plot_.geometryOf().scroll() - (point.y() - drag_->last.y()));
        break;
    case Drag::Kind::MoveOps:
        moveDraggedOps(point);
        break;
    case Drag::Kind::RubberBand: {
        const QRectF band = QRectF(drag_->start, point).normalized();
        plot_.changeOverlay([&](GanttOverlay& overlay) { overlay.rubberBand = band; });
        break;
    }
    case Drag::Kind::Measure: {
        const Time to = snapped(point);
        plot_.changeOverlay([&](GanttOverlay& overlay) {
            overlay.ruler = TimeRange{std::min(drag_->from, to), std::max(drag_->from, to)};
        });
        break;
    }
    case Drag::Kind::PlayHead:
        workspace_.viewState().setPlayHead(std::clamp<Time>(
            static_cast<Time>(plot_.geometryOf().time(point.x())), 0, plot_.scene().end()));
        break;
    }
    if (drag_) { // it may have ended by itself
        drag_->last = point;
    }
    return true;
}

bool GanttInput::mouseRelease(QMouseEvent* event) {
    if (!drag_) {
        return true;
    }
    const std::unique_ptr<Drag> drag = std::move(drag_);
    plot_.unsetCursor();
    plot_.changeOverlay([](GanttOverlay& overlay) {
        overlay.rubberBand = {};
        overlay.dropTrack = -1;
        overlay.pointerText.clear();
    });
    if (drag->kind == Drag::Kind::RubberBand && drag->moved) {
        const std::set<OpId> ops = opsIn(QRectF(drag->start, event->position()).normalized());
        if (drag->toggle) {
            workspace_.selection().add(ops);
        } else {
            workspace_.selection().select(ops);
        }
    } else if (!drag->moved && event->button() == Qt::LeftButton &&
               drag->kind != Drag::Kind::PlayHead) {
        if (drag->kind == Drag::Kind::Measure) {
            plot_.changeOverlay([](GanttOverlay& overlay) { overlay.ruler.reset(); });
        }
        click(drag->start, drag->toggle);
    }
    hover(event->position());
    return true;
}

bool GanttInput::doubleClick(QMouseEvent* event) {
    const IntervalRef ref = plot_.intervalAt(event->position());
    if (const GanttTrack* source = track(ref.track)) {
        const sim::Interval& interval = source->interval(ref.interval);
        plot_.fit({interval.start, interval.end});
    } else if (plot_.geometryOf().hit(event->position()).part != GanttHit::Part::Axis) {
        plot_.fitAll();
    }
    return true;
}

bool GanttInput::wheel(QWheelEvent* event) {
    const QPointF notches = QPointF(event->angleDelta()) / kWheelNotch;
    const double along = notches.y() != 0 ? notches.y() : notches.x();
    const GanttHit::Part part = plot_.geometryOf().hit(event->position()).part;
    const bool onEdge = part == GanttHit::Part::Chip || part == GanttHit::Part::Title;
    if (event->modifiers().testFlag(Qt::ShiftModifier) || notches.y() == 0) {
        plot_.pan(along * kPanPerNotch);
    } else if (event->modifiers().testFlag(Qt::AltModifier) ||
               (onEdge && plot_.geometryOf().maxScroll() > 0)) {
        plot_.setScroll(plot_.geometryOf().scroll() - along * kScrollPerNotch);
    } else {
        plot_.zoom(std::pow(kZoomPerNotch, along), event->position().x());
    }
    event->accept();
    return true;
}

bool GanttInput::contextMenu(QContextMenuEvent* event) {
    const IntervalRef ref = plot_.intervalAt(event->pos());
    if (const GanttTrack* source = track(ref.track);
        source != nullptr && event->reason() == QContextMenuEvent::Mouse) {
        const OpId op = source->interval(ref.interval).op;
        if (!workspace_.selection().contains(op)) {
            click(event->pos(), false);
        }
    }
    Q_EMIT pointed({}, {});
    Q_EMIT contextMenuRequested(event->globalPos());
    return true;
}

void GanttInput::hover(const QPointF& point) {
    const IntervalRef ref = plot_.intervalAt(point);
    const GanttTrack* source = track(ref.track);
    const bool transfer = source != nullptr && source->interval(ref.interval).isTransfer();
    const IntervalRef hoveredTransfer = transfer ? ref : IntervalRef{};
    if (!(plot_.overlay().hoveredTransfer == hoveredTransfer)) {
        plot_.changeOverlay(
            [&](GanttOverlay& overlay) { overlay.hoveredTransfer = hoveredTransfer; });
    }
    workspace_.selection().setHovered(source == nullptr ? kNoOp
                                                        : source->interval(ref.interval).op);
    const GanttHit::Part part = plot_.geometryOf().hit(point).part;
    if (part == GanttHit::Part::Axis) {
        plot_.setCursor(Qt::SizeHorCursor);
    } else if (workspace_.viewState().measuring() && isLane(part)) {
        plot_.setCursor(Qt::CrossCursor);
    } else {
        plot_.unsetCursor();
    }
    Q_EMIT pointed(ref, point);
}

void GanttInput::click(const QPointF& point, bool toggle) {
    Selection& selection = workspace_.selection();
    const IntervalRef ref = plot_.intervalAt(point);
    const GanttTrack* source = track(ref.track);
    if (source == nullptr) {
        const GanttHit hit = plot_.geometryOf().hit(point);
        if (hit.part == GanttHit::Part::Chip) {
            selection.selectDevice(hit.device);
        } else if (!toggle) {
            selection.clear();
        }
        return;
    }
    const sim::Interval& interval = source->interval(ref.interval);
    if (interval.isTransfer()) {
        std::set<OpId> ends = endsOfTransfer(*source->timeline, *source->problem->graph, interval);
        if (toggle) {
            selection.add(ends);
        } else {
            selection.select(std::move(ends));
        }
    } else if (toggle) {
        selection.toggle(interval.op);
    } else {
        selection.select(interval.op);
    }
}

void GanttInput::moveDraggedOps(const QPointF& point) {
    if (workspace_.currentId() != drag_->placement) {
        cancelDrag(); // a result came in between: its ops are not the ones that were taken
        return;
    }
    if (drag_->key < 0) {
        drag_->key = workspace_.newDragKey();
        workspace_.selection().select(drag_->ops);
    }
    plot_.setCursor(Qt::ClosedHandCursor);
    const GanttHit hit = plot_.geometryOf().hit(point);
    const bool onLane = hit.track == 0 && hit.device != kNoDevice &&
                        hit.device < workspace_.problem()->deviceCount();
    if (onLane && hit.device != drag_->device) {
        drag_->device = hit.device;
        workspace_.assign(drag_->ops, hit.device, drag_->key);
        drag_->placement = workspace_.currentId(); // the first edit goes into a copy
    }
    QString text;
    if (const Placement* shown = workspace_.current();
        shown != nullptr && shown->timeline && !shown->stale) {
        text = timeText(shown->makespan(), workspace_.problem()->costs->unit());
        if (shown->makespan() != drag_->makespan) {
            text += QStringLiteral("  ") + signedTimeText(shown->makespan() - drag_->makespan,
                                                          workspace_.problem()->costs->unit());
        }
    }
    plot_.changeOverlay([&](GanttOverlay& overlay) {
        overlay.dropTrack = onLane ? 0 : -1;
        overlay.dropDevice = hit.device;
        overlay.pointerText = text;
        overlay.pointer = point;
    });
}

void GanttInput::cancelDrag() {
    const std::unique_ptr<Drag> drag = std::move(drag_);
    // What came since the drag began is not the drag's to undo.
    if (drag->kind == Drag::Kind::MoveOps && workspace_.currentId() == drag->placement) {
        while (workspace_.undoStack().index() > drag->undoIndex) {
            workspace_.undoStack().undo();
        }
    }
    plot_.unsetCursor();
    plot_.changeOverlay([&](GanttOverlay& overlay) {
        overlay.rubberBand = {};
        overlay.dropTrack = -1;
        overlay.pointerText.clear();
        if (drag->kind == Drag::Kind::Measure) {
            overlay.ruler.reset();
        }
    });
}

Time GanttInput::snapped(const QPointF& point) const {
    const GanttGeometry& geometry = plot_.geometryOf();
    const double time = geometry.time(point.x());
    const GanttHit hit = geometry.hit(point);
    if (const GanttTrack* source = track(hit.track); source != nullptr && hit.device != kNoDevice) {
        const std::optional<Time> edge = source->lanes->nearestEdge(hit.device, time);
        if (edge && std::fabs(geometry.x(static_cast<double>(*edge)) - point.x()) <= kSnapPixels) {
            return *edge;
        }
    }
    return std::max<Time>(0, static_cast<Time>(std::llround(time)));
}

std::set<OpId> GanttInput::opsIn(const QRectF& band) const {
    std::set<OpId> ops;
    const GanttGeometry& geometry = plot_.geometryOf();
    const double from = geometry.time(band.left());
    const double to = geometry.time(band.right());
    for (int index = 0; index < geometry.trackCount(); ++index) {
        const GanttTrack& source = *track(index);
        for (DeviceId device = 0; device < source.lanes->deviceCount(); ++device) {
            const auto& rows = source.lanes->device(device).compute;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                const QRectF rect = geometry.computeRow(index, device, static_cast<int>(row));
                if (rect.bottom() < band.top() || rect.top() > band.bottom()) {
                    continue;
                }
                const auto [first, last] = visibleSpans(rows[row], from, to);
                for (std::size_t i = first; i < last; ++i) {
                    ops.insert(source.interval(rows[row][i].interval).op);
                }
            }
        }
    }
    return ops;
}

} // namespace doppler::views
