#pragma once

#include <span>

#include "core/graph/Graph.h"
#include "core/sim/Timeline.h"

namespace doppler::sim {

/// Calls `visit` with every edge whose value `transfer` brings: its own, or all from its op to
/// the receiver.
template <class Visit>
void forEachEdgeOf(const Interval& transfer, const graph::Graph& graph,
                   std::span<const DeviceId> assignment, Visit visit) {
    if (transfer.edge != kNoEdge) {
        visit(transfer.edge);
        return;
    }
    for (EdgeId edge = graph.firstOutEdge(transfer.op); edge < graph.endOutEdge(transfer.op);
         ++edge) {
        if (assignment[static_cast<std::size_t>(graph.target(edge))] == transfer.to) {
            visit(edge);
        }
    }
}

} // namespace doppler::sim
