#include <QKeyEvent>
#include <algorithm>

#include "views/gantt/GanttDrag.h"
#include "views/gantt/GanttNavigation.h"

namespace doppler::views {

namespace {

constexpr double kZoomPerKey = 1.5;

/// Keys that mean something here, so that no shortcut of the window takes them first.
bool isOurs(const QKeyEvent& event) {
    if (event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) {
        return false;
    }
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_W:
    case Qt::Key_F:
    case Qt::Key_P:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus:
    case Qt::Key_0:
    case Qt::Key_Escape:
        return true;
    default:
        return event.key() >= Qt::Key_1 && event.key() <= Qt::Key_9;
    }
}

} // namespace

bool GanttInput::keyPress(QKeyEvent* event) {
    if (!isOurs(*event)) {
        return false;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        // Without anything to leave, Escape belongs to the window.
        if (event->key() != Qt::Key_Escape || drag_ || plot_.overlay().ruler ||
            workspace_.viewState().playHead() >= 0) {
            event->accept();
        }
        return true;
    }
    const GanttTrack& first = plot_.scene().tracks.front();
    const OpId current = workspace_.selection().current();
    switch (event->key()) {
    case Qt::Key_Left:
        select(neighbourOnLane(*first.timeline, *first.lanes, current, -1));
        break;
    case Qt::Key_Right:
        select(neighbourOnLane(*first.timeline, *first.lanes, current, 1));
        break;
    case Qt::Key_Up:
        select(producerThatMattered(*first.timeline, current));
        break;
    case Qt::Key_Down:
        if (current != kNoOp) {
            select(consumerThatMattered(*first.timeline, *first.problem->graph, current));
        }
        break;
    case Qt::Key_W:
        select(waitedFor(*first.timeline, current));
        break;
    case Qt::Key_Home:
        workspace_.viewState().setPlayHead(0);
        break;
    case Qt::Key_End:
        workspace_.viewState().setPlayHead(first.timeline->makespan);
        break;
    case Qt::Key_F:
        fitSelection();
        break;
    case Qt::Key_P:
        togglePin();
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomAtCentre(kZoomPerKey);
        break;
    case Qt::Key_Minus:
        zoomAtCentre(1 / kZoomPerKey);
        break;
    case Qt::Key_0:
        plot_.fitAll();
        break;
    case Qt::Key_Escape:
        return escape();
    default:
        assignSelection(event->key() - Qt::Key_1);
    }
    return true;
}

bool GanttInput::escape() {
    if (drag_) {
        cancelDrag();
    } else if (plot_.overlay().ruler) {
        plot_.changeOverlay([](GanttOverlay& overlay) { overlay.ruler.reset(); });
    } else if (workspace_.viewState().playHead() >= 0) {
        workspace_.viewState().setPlayHead(-1);
    } else {
        workspace_.selection().clear();
    }
    return true;
}

void GanttInput::select(OpId op) {
    if (op == kNoOp && workspace_.selection().current() == kNoOp) {
        // Nothing to start from: the chain's end is where most questions begin.
        const GanttTrack& first = plot_.scene().tracks.front();
        if (first.report && !first.report->criticalChain.empty()) {
            op = first.interval(first.report->criticalChain.back()).op;
        }
    }
    if (op != kNoOp) {
        workspace_.selection().reveal(op);
    }
}

void GanttInput::assignSelection(DeviceId device) {
    if (workspace_.hasProblem() && device < workspace_.problem()->deviceCount() &&
        !workspace_.selection().ops().empty()) {
        workspace_.assign(workspace_.selection().ops(), device);
    }
}

void GanttInput::togglePin() {
    const std::set<OpId>& ops = workspace_.selection().ops();
    if (!ops.empty()) {
        const bool allPinned =
            std::all_of(ops.begin(), ops.end(), [&](OpId op) { return workspace_.isPinned(op); });
        workspace_.setPinned(ops, !allPinned);
    }
}

void GanttInput::fitSelection() {
    std::optional<TimeRange> range;
    for (int index = 0; index < static_cast<int>(plot_.scene().tracks.size()); ++index) {
        for (const OpId op : workspace_.selection().ops()) {
            const IntervalRef ref = plot_.executionOf(op, index);
            if (!ref.isValid()) {
                continue;
            }
            const sim::Interval& interval = track(index)->interval(ref.interval);
            range = range ? TimeRange{std::min(range->from, interval.start),
                                      std::max(range->to, interval.end)}
                          : TimeRange{interval.start, interval.end};
        }
    }
    if (!range) {
        plot_.fitAll();
        return;
    }
    const double from = plot_.geometryOf().from();
    const double to = plot_.geometryOf().to();
    plot_.fit(*range);
    if (plot_.geometryOf().from() == from && plot_.geometryOf().to() == to) {
        plot_.fitAll(); // it was fitted already
    }
}

void GanttInput::zoomAtCentre(double factor) {
    const GanttGeometry& geometry = plot_.geometryOf();
    double x = (geometry.lanesLeft() + geometry.lanesRight()) / 2;
    // Closing in on what is selected keeps it in sight.
    const IntervalRef ref = plot_.executionOf(workspace_.selection().current());
    if (ref.isValid()) {
        const sim::Interval& interval = track(ref.track)->interval(ref.interval);
        const double centre = geometry.x(static_cast<double>(interval.start + interval.end) / 2);
        if (centre >= geometry.lanesLeft() && centre <= geometry.lanesRight()) {
            x = centre;
        }
    }
    plot_.zoom(factor, x);
}

} // namespace doppler::views
