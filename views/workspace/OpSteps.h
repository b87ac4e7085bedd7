#pragma once

#include "core/graph/Graph.h"
#include "core/sim/Timeline.h"

namespace doppler::views {

// Where a step with the keyboard leads from `op` in a timeline; kNoOp where it leads nowhere.

/// The op whose end (or transfer, or freed memory) the start of `op` waited for.
OpId opWaitedFor(const sim::Timeline& timeline, OpId op);

/// The next op that ran in the same slot of the same device, or the one before.
OpId nextOnLane(const sim::Timeline& timeline, OpId op);
OpId previousOnLane(const sim::Timeline& timeline, OpId op);

/// The producer whose value arrived last; a producer at all where that is not recorded.
OpId lastProducer(const graph::Graph& graph, const sim::Timeline& timeline, OpId op);

/// The first consumer to start of those that waited for the value of `op` longest; else the first
/// consumer to start.
OpId firstConsumer(const graph::Graph& graph, const sim::Timeline& timeline, OpId op);

} // namespace doppler::views
