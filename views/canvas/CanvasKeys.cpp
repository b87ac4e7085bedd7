#include "views/canvas/CanvasKeys.h"

#include <algorithm>

#include "views/workspace/OpSteps.h"

namespace doppler::views {

namespace {

/// The op nearest to the middle of the view: where the keyboard starts.
OpId nearestToMiddle(const CanvasGeometry& geometry) {
    const QPointF middle = geometry.visibleScene().center();
    OpId best = kNoOp;
    double bestDistance = 0;
    for (OpId op = 0; op < geometry.layout()->opCount(); ++op) {
        const QPointF delta = geometry.layout()->centre(op) - middle;
        const double distance = QPointF::dotProduct(delta, delta);
        if (best == kNoOp || distance < bestDistance) {
            best = op;
            bestDistance = distance;
        }
    }
    return best;
}

OpId stepInTimeline(int key, const graph::Graph& graph, const sim::Timeline& timeline, OpId op) {
    switch (key) {
    case Qt::Key_Left:
        return previousOnLane(timeline, op);
    case Qt::Key_Right:
        return nextOnLane(timeline, op);
    case Qt::Key_Up:
        return lastProducer(graph, timeline, op);
    case Qt::Key_Down:
        return firstConsumer(graph, timeline, op);
    default:
        return opWaitedFor(timeline, op);
    }
}

OpId stepInGraph(int key, const graph::Graph& graph, OpId op) {
    switch (key) {
    case Qt::Key_Left:
        return op - 1;
    case Qt::Key_Right:
        return op + 1 < graph.opCount() ? op + 1 : kNoOp;
    case Qt::Key_Down:
        return graph.outDegree(op) > 0 ? graph.target(graph.firstOutEdge(op)) : kNoOp;
    default:
        return graph.inDegree(op) > 0 ? graph.source(graph.inEdges(op).front()) : kNoOp;
    }
}

void step(int key, Workspace& workspace, const CanvasGeometry& geometry) {
    if (geometry.isEmpty()) {
        return;
    }
    const graph::Graph& graph = *workspace.problem()->graph;
    const OpId current = workspace.selection().current();
    const Placement* shown = workspace.current();
    OpId next = kNoOp;
    if (current == kNoOp) {
        next = nearestToMiddle(geometry);
    } else if (shown && shown->timeline && !shown->stale) {
        next = stepInTimeline(key, graph, *shown->timeline, current);
    } else {
        next = stepInGraph(key, graph, current);
    }
    if (next != kNoOp) {
        workspace.selection().reveal(next);
    }
}

} // namespace

bool handleOpKey(const QKeyEvent& event, Workspace& workspace, const CanvasGeometry& geometry) {
    if (!workspace.hasProblem() ||
        (event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) != 0) {
        return false;
    }
    const std::set<OpId> selected = workspace.selection().ops();
    const int key = event.key();
    if (key >= Qt::Key_1 && key <= Qt::Key_9) {
        const DeviceId device = key - Qt::Key_1;
        if (!selected.empty() && workspace.current() &&
            device < workspace.problem()->deviceCount()) {
            workspace.assign(selected, device);
        }
        return true;
    }
    switch (key) {
    case Qt::Key_P:
        if (!selected.empty() && workspace.current()) {
            const bool all = std::all_of(selected.begin(), selected.end(),
                                         [&](OpId op) { return workspace.isPinned(op); });
            workspace.setPinned(selected, !all);
        }
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_W:
        step(key, workspace, geometry);
        return true;
    default:
        return false;
    }
}

} // namespace doppler::views
