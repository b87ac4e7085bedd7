#pragma once

#include <vector>

#include "core/graph/Graph.h"

namespace doppler::views {

/// The format both layouts aim at: the canvas of the window is about this much wider than high.
inline constexpr double kTargetAspect = 2.3;
/// Least space between two nodes of a level.
inline constexpr double kNodeGap = 5;
/// Room that an edge takes where it passes a level.
inline constexpr double kBendRoom = 10;

/// What follows from the shape of a graph for any layered drawing of it.
struct LayoutShape {
    std::vector<std::int32_t> level; ///< by op; producers above consumers
    int depth = 0;                   ///< levels
    int width = 0;                   ///< most ops on one level
    bool leftToRight = false;        ///< deep graphs run to the right, others downwards
    double levelGap = 0;             ///< between the nodes of consecutive levels
    double nodeGap = kNodeGap;       ///< between the nodes of a level
    /// Ops of a level in one row; more are stacked in further rows of the same level.
    int opsPerRow = 0;
};

/// Levels that keep edges short, and direction and spacing that bring the drawing close to the
/// target format.
LayoutShape layoutShape(const graph::Graph& graph);

} // namespace doppler::views
