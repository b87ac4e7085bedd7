#include "views/layout/LayoutShape.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/graph/Topology.h"
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

double distance(double aspect) {
    return std::abs(std::log(aspect / kTargetAspect));
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

int fittingRow(const std::vector<int>& counts, double pitch, double gap) {
    int low = 1;
    int high = *std::max_element(counts.begin(), counts.end());
    while (low < high) { // smallest row that is wide enough for the format
        const int row = low + (high - low) / 2;
        double height = 0;
        for (const int count : counts) {
            height += ((count + row - 1) / row) * (kNodeHeight + kNodeGap) + gap;
        }
        if (row * pitch < kTargetAspect * height) {
            low = row + 1;
        } else {
            high = row;
        }
    }
    return low;
}

} // namespace

LayoutShape layoutShape(const graph::Graph& graph) {
    LayoutShape shape;
    shape.level = compactLevels(graph);
    std::vector<int> counts;
    for (const std::int32_t level : shape.level) {
        shape.depth = std::max(shape.depth, level + 1);
        counts.resize(at(shape.depth), 0);
        ++counts[at(level)];
    }
    if (counts.empty()) {
        return shape;
    }
    shape.width = *std::max_element(counts.begin(), counts.end());
    shape.opsPerRow = shape.width;

    const std::vector<int> passing = passingEdges(graph, shape);
    const auto across = [&](double nodePitch) {
        double widest = 0;
        for (std::size_t level = 0; level < counts.size(); ++level) {
            widest = std::max(widest, counts[level] * nodePitch + passing[level] * kBendRoom);
        }
        return widest;
    };
    const double acrossDown = across(kNodeWidth + kNodeGap);
    const double acrossRight = across(kNodeHeight + kNodeGap);
    const double gapDown = std::clamp(acrossDown / kTargetAspect / shape.depth - kNodeHeight,
                                      kMinGapDown, kMaxGapDown);
    const double gapRight = std::clamp(acrossRight * kTargetAspect / shape.depth - kNodeWidth,
                                       kMinGapRight, kMaxGapRight);
    const double aspectDown = acrossDown / (shape.depth * (kNodeHeight + gapDown));
    const double alongRight = shape.depth * (kNodeWidth + gapRight);
    shape.leftToRight = distance(alongRight / acrossRight) < distance(aspectDown);
    shape.levelGap = shape.leftToRight ? gapRight : gapDown;
    if (shape.leftToRight) {
        // What is still too long and thin gets air between its rows.
        const double room = alongRight / kTargetAspect / acrossRight * (kNodeHeight + kNodeGap);
        shape.nodeGap = std::clamp(room - kNodeHeight, kNodeGap, kMaxNodeGap);
    } else if (aspectDown > kFoldAspect) {
        shape.opsPerRow = fittingRow(counts, kNodeWidth + kNodeGap, shape.levelGap);
    }
    return shape;
}

} // namespace doppler::views
