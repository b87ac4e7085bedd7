#pragma once

#include <set>

#include "core/graph/Graph.h"
#include "core/sim/Timeline.h"
#include "views/gantt/LaneModel.h"

namespace doppler::views {

/// Where the keys go from an op of a timeline. Each returns kNoOp where there is nothing.

/// The op that started `step` places later (earlier if negative) on the same device.
OpId neighbourOnLane(const sim::Timeline& timeline, const LaneModel& lanes, OpId op, int step);

/// The producer whose value arrived last.
OpId producerThatMattered(const sim::Timeline& timeline, OpId op);

/// The consumer that waited for `op` last of all its inputs; else the one that started first.
OpId consumerThatMattered(const sim::Timeline& timeline, const graph::Graph& graph, OpId op);

/// The op that `op` waited for before it started: in a transfer, the one whose value moved.
OpId waitedFor(const sim::Timeline& timeline, OpId op);

/// Producer and consumers of a transfer.
std::set<OpId> endsOfTransfer(const sim::Timeline& timeline, const graph::Graph& graph,
                              const sim::Interval& transfer);

} // namespace doppler::views
