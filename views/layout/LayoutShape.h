#pragma once

#include <QSizeF>
#include <algorithm>
#include <vector>

#include "core/graph/Graph.h"

namespace doppler::views {

/// The format both layouts aim at: the canvas of the window is about this much wider than high.
inline constexpr double kTargetAspect = 2.3;
/// Least space between two nodes of a level.
inline constexpr double kNodeGap = 5;
/// Room that an edge takes where it passes a level.
inline constexpr double kBendRoom = 10;
/// Between two bands, and more for the edges that run there.
inline constexpr double kBandGap = 40;

/// What a drawing should be like.
struct LayoutWish {
    /// By op; empty: all have the size of an op's node.
    std::vector<QSizeF> sizes;
    /// By op, as `sizes`: where the drawing is folded into bands follows from these. Empty: from
    /// `sizes`. So it stays folded alike while ops grow and shrink.
    std::vector<QSizeF> foldSizes;
    double aspect = kTargetAspect; ///< width over height
    bool leftToRight = false;      ///< whatever the graph's shape asks for
};

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
    /// First level of each band. A graph too deep for one strip that runs to the right is folded
    /// into bands, one below the other like lines of text.
    std::vector<int> bands{0};

    /// Of a level.
    int bandOf(int which) const {
        if (bands.size() == 1) {
            return 0;
        }
        const auto next = std::upper_bound(bands.begin(), bands.end(), which);
        return static_cast<int>(next - bands.begin()) - 1;
    }
};

/// Levels that keep edges short, and direction and spacing that bring the drawing close to the
/// target format.
LayoutShape layoutShape(const graph::Graph& graph, const LayoutWish& wish = {});

} // namespace doppler::views
