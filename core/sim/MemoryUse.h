#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::sim {

/// Adds to `bytes`, by device, the graph inputs that it holds for the whole run: each input once
/// on every device with an op that reads it. `seen` is scratch of devices x inputs entries.
void addInputBytes(const graph::Graph& graph, std::span<const DeviceId> assignment,
                   std::vector<std::uint8_t>& seen, std::vector<std::int64_t>& bytes);

/// Bytes that a transfer moves: of its edge, or the most of the edges that share it.
std::int64_t transferBytes(const graph::Graph& graph, std::span<const DeviceId> assignment,
                           const Interval& transfer);

/// Most bytes that each device held at once in a timeline, simulated or real:
/// - an op's output lies on its device from the op's start until its last consumer there and its
///   last transfer out have ended (without either: until the op's end);
/// - a transferred copy lies on the receiver from the transfer's start until its last consumer
///   there has ended;
/// - graph inputs lie there for the whole run.
/// What ends at a point in time is freed before what starts then is allocated.
std::vector<std::int64_t> peakMemory(const Problem& problem, std::span<const DeviceId> assignment,
                                     const Timeline& timeline);

} // namespace doppler::sim
