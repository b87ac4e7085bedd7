#include "views/layout/LayoutShape.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/graph/Topology.h"
#include "views/layout/Bands.h"
#include "views/layout/GraphLayout.h"

namespace doppler::views {

namespace {

// Between levels, for drawings that run down and that run right (there edges leave sideways).
constexpr double kMinGapDown = 22;
constexpr double kMaxGapDown = 64;
constexpr double kMinGapRight = 16;
constexpr double kMaxGapRight = 96;
constexpr double kMaxNodeGap = 24;
/// A drawing wider than this times its height is folded into rows.
constexpr double kFoldAspect = 6;
/// Between groups, whose lines carry counts.
constexpr double kMinGapOfBoxes = 44;
constexpr double kBoxGap = 16;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

void moveToConsumers(const graph::Graph& graph, std::vector<std::int32_t>& level, OpId op) {
    if (graph.outDegree(op) == 0) {
        return;
    }
    std::int32_t nearest = level[at(graph.target(graph.firstOutEdge(op)))];
    for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
        nearest = std::min(nearest, level[at(graph.target(edge))]);
    }
    level[at(op)] = nearest - 1;
}

void moveToProducers(const graph::Graph& graph, std::vector<std::int32_t>& level, OpId op) {
    std::int32_t nearest = 0;
    for (const EdgeId edge : graph.inEdges(op)) {
        nearest = std::max(nearest, level[at(graph.source(edge))] + 1);
    }
    level[at(op)] = nearest;
}

/// Everything as late as the longest paths allow; then ops with no more consumers than producers
/// back to their producers, and the others again to their consumers.
std::vector<std::int32_t> compactLevels(const graph::Graph& graph) {
    std::vector<std::int32_t> level = graph::levels(graph);
    const std::vector<OpId>& order = graph.topologicalOrder();
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        moveToConsumers(graph, level, *it);
    }
    for (const OpId op : order) {
        if (graph.inDegree(op) > 0 && graph.inDegree(op) >= graph.outDegree(op)) {
            moveToProducers(graph, level, op);
        }
    }
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        if (graph.outDegree(*it) > graph.inDegree(*it)) {
            moveToConsumers(graph, level, *it);
        }
    }
    return level;
}

double distance(double aspect, double wanted) {
    return std::abs(std::log(aspect / wanted));
}

/// Edges that pass each level without touching a node of it.
std::vector<int> passingEdges(const graph::Graph& graph, const LayoutShape& shape) {
    std::vector<int> change(at(shape.depth) + 1, 0);
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        ++change[at(shape.level[at(graph.source(edge))]) + 1];
        --change[at(shape.level[at(graph.target(edge))])];
    }
    std::partial_sum(change.begin(), change.end(), change.begin());
    return change;
}

/// The extents of all levels, if the drawing ran down or to the right.
struct Extents {
    std::vector<double> along;       ///< by level
    std::vector<double> nodesAcross; ///< by level
    std::vector<double> across;      ///< by level, with what passes
    std::vector<int> counts;         ///< ops by level

    double alongSum(double gap) const {
        return std::accumulate(along.begin(), along.end(), gap * static_cast<double>(along.size()));
    }
    double widest() const { return *std::max_element(across.begin(), across.end()); }
};

Extents extentsOf(const LayoutShape& shape, const std::vector<QSizeF>& sizes,
                  const std::vector<int>& passing, bool right) {
    Extents extents;
    extents.along.assign(at(shape.depth), right ? kNodeWidth : kNodeHeight);
    extents.across.assign(at(shape.depth), 0);
    extents.counts.assign(at(shape.depth), 0);
    for (std::size_t op = 0; op < shape.level.size(); ++op) {
        const QSizeF size = sizes.empty() ? QSizeF(kNodeWidth, kNodeHeight) : sizes[op];
        const std::size_t level = at(shape.level[op]);
        extents.along[level] = std::max(extents.along[level], right ? size.width() : size.height());
        extents.across[level] +=
            (right ? size.height() : size.width()) + (sizes.empty() ? kNodeGap : kBoxGap);
        ++extents.counts[level];
    }
    extents.nodesAcross = extents.across;
    for (std::size_t level = 0; level < extents.across.size(); ++level) {
        extents.across[level] += passing[level] * kBendRoom;
    }
    return extents;
}

/// Smallest row of a level for which the drawing is not longer along than `share` of its width
/// across.
int fittingRow(const std::vector<int>& counts, double pitch, double rowExtent, double gap,
               double share) {
    int low = 1;
    int high = *std::max_element(counts.begin(), counts.end());
    while (low < high) {
        const int row = low + (high - low) / 2;
        double along = 0;
        for (const int count : counts) {
            along += ((count + row - 1) / row) * rowExtent + gap;
        }
        if (row * pitch < share * along) {
            low = row + 1;
        } else {
            high = row;
        }
    }
    return low;
}

} // namespace

LayoutShape layoutShape(const graph::Graph& graph, const LayoutWish& wish) {
    LayoutShape shape;
    shape.level = compactLevels(graph);
    for (const std::int32_t level : shape.level) {
        shape.depth = std::max(shape.depth, level + 1);
    }
    if (shape.depth == 0) {
        return shape;
    }
    const std::vector<int> passing = passingEdges(graph, shape);
    const Extents down = extentsOf(shape, wish.sizes, passing, false);
    const Extents right = extentsOf(shape, wish.sizes, passing, true);
    shape.width = *std::max_element(down.counts.begin(), down.counts.end());
    shape.opsPerRow = shape.width;

    const double leastGap = wish.sizes.empty() ? kMinGapRight : kMinGapOfBoxes;
    shape.nodeGap = wish.sizes.empty() ? kNodeGap : kBoxGap;

    // The gaps take what is missing to the wanted format, within limits.
    const double gapDown = std::clamp(
        (down.widest() / wish.aspect - down.alongSum(0)) / shape.depth, kMinGapDown, kMaxGapDown);
    const double gapRight = std::clamp(
        (right.widest() * wish.aspect - right.alongSum(0)) / shape.depth, leastGap, kMaxGapRight);
    const double aspectDown = down.widest() / down.alongSum(gapDown);
    const double alongRight = right.alongSum(gapRight);
    shape.leftToRight = wish.leftToRight || distance(alongRight / right.widest(), wish.aspect) <
                                                distance(aspectDown, wish.aspect);
    shape.levelGap = shape.leftToRight ? gapRight : gapDown;
    if (!shape.leftToRight) {
        if (aspectDown > kFoldAspect && wish.sizes.empty()) {
            shape.opsPerRow = fittingRow(down.counts, kNodeWidth + kNodeGap, kNodeHeight + kNodeGap,
                                         shape.levelGap, wish.aspect);
        }
        return shape;
    }
    const Extents folding =
        wish.foldSizes.empty() ? right : extentsOf(shape, wish.foldSizes, passing, true);
    Strip strip{graph, shape.level, folding.along, folding.nodesAcross};
    for (double& along : strip.along) {
        along += leastGap;
    }
    shape.bands = chooseBands(strip, wish.aspect);
    if (shape.bands.size() > 1) {
        shape.levelGap = leastGap;
        return shape;
    }
    if (wish.leftToRight && wish.sizes.empty() &&
        alongRight / right.widest() < wish.aspect / kFoldAspect * 2) {
        shape.opsPerRow = fittingRow(right.counts, kNodeHeight + kNodeGap, kNodeWidth + kNodeGap,
                                     shape.levelGap, 1 / wish.aspect);
    } else if (wish.sizes.empty()) {
        // What is still too long and thin gets air between its rows.
        const double room = alongRight / wish.aspect / right.widest() * (kNodeHeight + kNodeGap);
        shape.nodeGap = std::clamp(room - kNodeHeight, kNodeGap, kMaxNodeGap);
    }
    return shape;
}

} // namespace doppler::views
