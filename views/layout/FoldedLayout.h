#pragma once

#include <memory>
#include <stop_token>

#include "core/graph/FoldedGraph.h"
#include "views/layout/GraphLayout.h"

namespace doppler::views {

/// Size of a collapsed group in scene units.
inline constexpr double kBoxWidth = 148;
inline constexpr double kBoxHeight = 62;
/// Height of the title of an expanded group.
inline constexpr double kFrameTitle = 22;

/// A group on the canvas: a box that stands for its ops, or a frame around them.
struct GroupBox {
    std::int32_t group = 0; ///< of the tree
    QRectF rect;
    bool collapsed = false;
    int depth = 1; ///< groups around it, and itself

    QRectF titleRect() const { return {rect.topLeft(), QSizeF(rect.width(), kFrameTitle)}; }
};

/// A line for the edges between a collapsed group and another part of the drawing.
struct BundleLine {
    OpId sourceOp = kNoOp;       ///< or
    std::int32_t sourceBox = -1; ///< index of a box
    OpId targetOp = kNoOp;
    std::int32_t targetBox = -1;
    int count = 1; ///< edges
    std::int64_t bytes = 0;
    bool backward = false;      ///< against the reading direction: see graph::EdgeBundle
    std::vector<QPointF> curve; ///< 1 + 3 k points, as in GraphLayout
};

/// Where everything is when the groups of a graph are drawn, some of them collapsed. Every group
/// is laid out by itself, so that groups alike look alike. Expanding one keeps the order and the
/// rows of the others.
struct FoldedLayout {
    std::shared_ptr<const graph::FoldState> fold;
    /// All ops; those in a collapsed group are at the middle of its box. Curves of the edges
    /// between ops that are shown; none for the others.
    std::shared_ptr<const GraphLayout> ops;
    std::vector<GroupBox> boxes;       ///< outer before inner
    std::vector<std::int32_t> boxOfOp; ///< by op: the box it is hidden in, or -1
    std::vector<BundleLine> bundles;

    bool isHidden(OpId op) const { return boxOfOp[static_cast<std::size_t>(op)] >= 0; }
    /// The node of an op, or the box that hides it.
    QRectF standInRect(OpId op) const {
        const std::int32_t box = boxOfOp[static_cast<std::size_t>(op)];
        return box < 0 ? ops->nodeRect(op) : boxes[static_cast<std::size_t>(box)].rect;
    }
    /// Index of the box of a group, or -1.
    std::int32_t boxOf(std::int32_t group) const;
};

/// Linear in ops and edges but for sorting. Null if `stop` is requested.
std::shared_ptr<const FoldedLayout> foldedLayout(const graph::Graph& graph,
                                                 std::shared_ptr<const graph::FoldState> fold,
                                                 const std::stop_token& stop = {});

} // namespace doppler::views
