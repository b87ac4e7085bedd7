#include "views/canvas/CanvasScene.h"

namespace doppler::views {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

EdgeId edgeBetween(const graph::Graph& graph, OpId from, OpId to) {
    for (EdgeId edge = graph.firstOutEdge(from); edge < graph.endOutEdge(from); ++edge) {
        if (graph.target(edge) == to) {
            return edge;
        }
    }
    return kNoEdge;
}

} // namespace

CriticalParts criticalParts(const CanvasScene& scene) {
    CriticalParts parts;
    if (!scene.showCriticalChain || !scene.timeline || !scene.report || !scene.problem ||
        scene.timeline->executionOf.size() != at(scene.problem->opCount())) {
        return parts;
    }
    const graph::Graph& graph = scene.graph();
    parts.ops.assign(at(graph.opCount()), 0);
    parts.edges.assign(at(graph.edgeCount()), 0);
    OpId before = kNoOp;
    for (const std::int32_t index : scene.report->criticalChain) {
        const sim::Interval& interval = scene.timeline->intervals[at(index)];
        if (!interval.isTransfer()) {
            parts.ops[at(interval.op)] = 1;
            if (before != kNoOp && interval.cause == sim::Cause::Input) {
                const EdgeId edge = edgeBetween(graph, before, interval.op);
                if (edge != kNoEdge) {
                    parts.edges[at(edge)] = 1;
                }
            }
        }
        before = interval.op;
    }
    return parts;
}

} // namespace doppler::views
