#include "views/layout/LayeredLayout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "views/layout/LayoutShape.h"
#include "views/layout/Separate.h"

namespace doppler::views {

namespace {

using Vertex = std::int32_t; // ops first, then the bends of long edges

constexpr int kOrderSweeps = 12;
constexpr int kPositionSweeps = 8;
constexpr double kBendWeight = 4;
/// Bends are made as long as there are no more than this many per op and edge.
constexpr std::int64_t kBendsPerItem = 2;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// The graph with long edges split at every level; finds an order and a position across for every
/// vertex.
class Layering {
public:
    Layering(const graph::Graph& graph, const LayoutShape& shape) : graph_(graph), shape_(shape) {
        addBends();
        linkNeighbours();
        initialOrder();
    }

    bool arrange(const std::stop_token& stop) {
        for (int sweep = 0; sweep < kOrderSweeps + kPositionSweeps; ++sweep) {
            if (stop.stop_requested()) {
                return false;
            }
            const bool reorder = sweep < kOrderSweeps;
            const bool down = sweep % 2 == 0;
            for (int i = 0; i < shape_.depth; ++i) {
                placeLevel(down ? i : shape_.depth - 1 - i, down, reorder);
            }
        }
        return true;
    }

    GraphLayout toLayout() const;

private:
    bool isOp(Vertex v) const { return v < graph_.opCount(); }
    double room(Vertex v) const {
        if (!isOp(v)) {
            return kBendRoom / 2;
        }
        const double size = shape_.leftToRight ? kNodeHeight : kNodeWidth;
        return (size + shape_.nodeGap) / 2 / rows(level_[at(v)]);
    }
    /// Rows that the ops of a level are stacked in.
    int rows(int level) const {
        return (opsOnLevel_[at(level)] + shape_.opsPerRow - 1) / shape_.opsPerRow;
    }

    void addBends();
    void linkNeighbours();
    void initialOrder();
    void placeLevel(int level, bool down, bool reorder);
    double wish(Vertex v, bool down, bool both) const;
    void appendCurve(GraphLayout& layout, EdgeId edge, const std::vector<double>& bendAlong) const;

    const graph::Graph& graph_;
    const LayoutShape& shape_;
    std::vector<std::int32_t> level_; // by vertex
    std::vector<Vertex> firstBend_;   // by edge; -1: straight
    std::vector<int> opsOnLevel_;
    std::vector<std::int32_t> upBegin_, downBegin_;
    std::vector<Vertex> up_, down_;
    std::vector<std::vector<Vertex>> order_; // by level
    std::vector<double> x_;                  // across
    // Scratch of placeLevel.
    std::vector<std::pair<double, Vertex>> wishes_;
    std::vector<LineBox> boxes_;
    std::vector<double> positions_;
};

void Layering::addBends() {
    level_ = shape_.level;
    opsOnLevel_.assign(at(shape_.depth), 0);
    for (const std::int32_t level : level_) {
        ++opsOnLevel_[at(level)];
    }
    // The longest span that still gets bends within the budget.
    std::vector<std::int64_t> edgesOfSpan(at(shape_.depth + 1), 0);
    const auto span = [&](EdgeId edge) {
        return level_[at(graph_.target(edge))] - level_[at(graph_.source(edge))];
    };
    for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
        ++edgesOfSpan[at(span(edge))];
    }
    const std::int64_t budget =
        kBendsPerItem * (std::int64_t{graph_.opCount()} + graph_.edgeCount());
    std::int64_t bends = 0;
    int limit = 1;
    while (limit + 1 <= shape_.depth) {
        bends += edgesOfSpan[at(limit + 1)] * limit;
        if (bends > budget) {
            break;
        }
        ++limit;
    }
    firstBend_.assign(at(graph_.edgeCount()), -1);
    for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
        if (span(edge) < 2 || span(edge) > limit) {
            continue;
        }
        firstBend_[at(edge)] = static_cast<Vertex>(level_.size());
        const int sourceLevel = level_[at(graph_.source(edge))];
        for (int i = 1; i < span(edge); ++i) {
            level_.push_back(sourceLevel + i);
        }
    }
}

void Layering::linkNeighbours() {
    std::vector<std::pair<Vertex, Vertex>> links;
    links.reserve(at(graph_.edgeCount()) + level_.size());
    for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
        Vertex from = graph_.source(edge);
        const Vertex target = graph_.target(edge);
        if (firstBend_[at(edge)] >= 0) {
            const int bends = level_[at(target)] - level_[at(from)] - 1;
            for (int i = 0; i < bends; ++i) {
                links.emplace_back(from, firstBend_[at(edge)] + i);
                from = firstBend_[at(edge)] + i;
            }
        }
        links.emplace_back(from, target);
    }
    upBegin_.assign(level_.size() + 1, 0);
    downBegin_.assign(level_.size() + 1, 0);
    for (const auto& [from, to] : links) {
        ++downBegin_[at(from) + 1];
        ++upBegin_[at(to) + 1];
    }
    std::partial_sum(upBegin_.begin(), upBegin_.end(), upBegin_.begin());
    std::partial_sum(downBegin_.begin(), downBegin_.end(), downBegin_.begin());
    up_.resize(links.size());
    down_.resize(links.size());
    std::vector<std::int32_t> nextUp = upBegin_;
    std::vector<std::int32_t> nextDown = downBegin_;
    for (const auto& [from, to] : links) {
        down_[at(nextDown[at(from)]++)] = to;
        up_[at(nextUp[at(to)]++)] = from;
    }
}

// Depth first over all links, so that what belongs together starts side by side.
void Layering::initialOrder() {
    order_.resize(at(shape_.depth));
    x_.assign(level_.size(), 0);
    std::vector<bool> seen(level_.size(), false);
    std::vector<Vertex> stack;
    std::vector<double> nextX(at(shape_.depth), 0);
    for (Vertex root = 0; root < graph_.opCount(); ++root) {
        stack.push_back(root);
        while (!stack.empty()) {
            const Vertex v = stack.back();
            stack.pop_back();
            if (seen[at(v)]) {
                continue;
            }
            seen[at(v)] = true;
            double& next = nextX[at(level_[at(v)])];
            order_[at(level_[at(v)])].push_back(v);
            x_[at(v)] = next + room(v);
            next += 2 * room(v);
            for (std::int32_t i = downBegin_[at(v) + 1] - 1; i >= downBegin_[at(v)]; --i) {
                stack.push_back(down_[at(i)]);
            }
            for (std::int32_t i = upBegin_[at(v) + 1] - 1; i >= upBegin_[at(v)]; --i) {
                stack.push_back(up_[at(i)]);
            }
        }
    }
    for (int level = 0; level < shape_.depth; ++level) { // centre the levels on each other
        for (const Vertex v : order_[at(level)]) {
            x_[at(v)] -= nextX[at(level)] / 2;
        }
    }
}

double Layering::wish(Vertex v, bool down, bool both) const {
    double sum = 0;
    double weight = 0;
    const auto add = [&](const std::vector<std::int32_t>& begin, const std::vector<Vertex>& to) {
        for (std::int32_t i = begin[at(v)]; i < begin[at(v) + 1]; ++i) {
            const Vertex other = to[at(i)];
            const double pull = !isOp(v) && !isOp(other) ? kBendWeight : 1;
            sum += pull * x_[at(other)];
            weight += pull;
        }
    };
    if (down || both) {
        add(upBegin_, up_);
    }
    if (!down || both) {
        add(downBegin_, down_);
    }
    return weight > 0 ? sum / weight : x_[at(v)];
}

void Layering::placeLevel(int level, bool down, bool reorder) {
    std::vector<Vertex>& order = order_[at(level)];
    wishes_.clear();
    for (const Vertex v : order) {
        wishes_.emplace_back(wish(v, down, !reorder), v);
    }
    if (reorder) {
        std::stable_sort(wishes_.begin(), wishes_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    boxes_.clear();
    for (const auto& [position, v] : wishes_) {
        boxes_.push_back({position, isOp(v) ? 1.0 : kBendWeight, room(v)});
    }
    separate(boxes_, positions_);
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = wishes_[i].second;
        x_[at(order[i])] = positions_[i];
    }
}

GraphLayout Layering::toLayout() const {
    const double nodeAlong = shape_.leftToRight ? kNodeWidth : kNodeHeight;
    GraphLayout layout;
    layout.leftToRight = shape_.leftToRight;
    layout.centres.resize(at(graph_.opCount()));
    std::vector<double> levelAlong(at(shape_.depth), 0); // middle of each level
    double along = 0;
    for (int level = 0; level < shape_.depth; ++level) {
        const double extent = rows(level) * (nodeAlong + kNodeGap) - kNodeGap;
        levelAlong[at(level)] = along + extent / 2;
        int index = 0;
        for (const Vertex v : order_[at(level)]) {
            if (!isOp(v)) {
                continue;
            }
            const int row = index++ % rows(level);
            const double y = along + nodeAlong / 2 + row * (nodeAlong + kNodeGap);
            layout.centres[at(v)] =
                shape_.leftToRight ? QPointF(y, x_[at(v)]) : QPointF(x_[at(v)], y);
        }
        along += extent + shape_.levelGap;
    }
    layout.curveBegin.reserve(at(graph_.edgeCount()) + 1);
    for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
        appendCurve(layout, edge, levelAlong);
    }
    layout.updateBounds();
    return layout;
}

// A smooth curve through the bends (cubic Hermite pieces with slopes that never overshoot).
void Layering::appendCurve(GraphLayout& layout, EdgeId edge,
                           const std::vector<double>& levelAlong) const {
    const bool right = shape_.leftToRight;
    const double half = (right ? kNodeWidth : kNodeHeight) / 2;
    const auto turned = [right](const QPointF& p) { return right ? QPointF(p.y(), p.x()) : p; };
    const QPointF source = turned(layout.centre(graph_.source(edge)));
    const QPointF target = turned(layout.centre(graph_.target(edge)));
    std::vector<QPointF> knots{source + QPointF(0, half)};
    if (firstBend_[at(edge)] >= 0) {
        const int begin = level_[at(graph_.source(edge))] + 1;
        const int end = level_[at(graph_.target(edge))];
        for (int level = begin; level < end; ++level) {
            const Vertex bend = firstBend_[at(edge)] + level - begin;
            // Straight past the nodes of the level, bending in the gaps.
            knots.emplace_back(x_[at(bend)], levelAlong[at(level)]);
        }
    }
    knots.push_back(target - QPointF(0, half));

    const auto slope = [&](std::size_t from, std::size_t to) {
        return (knots[to].x() - knots[from].x()) / std::max(1.0, knots[to].y() - knots[from].y());
    };
    const auto tangent = [&](std::size_t i) {
        if (i == 0) {
            return slope(0, 1);
        }
        if (i + 1 == knots.size()) {
            return slope(i - 1, i);
        }
        const double before = slope(i - 1, i);
        const double after = slope(i, i + 1);
        return before * after <= 0
                   ? 0.0
                   : std::copysign(std::min(std::abs(before), std::abs(after)), before);
    };
    layout.curvePoints.push_back(turned(knots[0]));
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
        const double third = (knots[i + 1].y() - knots[i].y()) / 3;
        layout.curvePoints.push_back(turned(knots[i] + QPointF(tangent(i) * third, third)));
        layout.curvePoints.push_back(turned(knots[i + 1] - QPointF(tangent(i + 1) * third, third)));
        layout.curvePoints.push_back(turned(knots[i + 1]));
    }
    layout.curveBegin.push_back(static_cast<std::uint32_t>(layout.curvePoints.size()));
}

} // namespace

std::shared_ptr<const GraphLayout> layeredLayout(const graph::Graph& graph,
                                                 const std::stop_token& stop) {
    const LayoutShape shape = layoutShape(graph);
    Layering layering(graph, shape);
    if (!layering.arrange(stop)) {
        return nullptr;
    }
    return std::make_shared<const GraphLayout>(layering.toLayout());
}

} // namespace doppler::views
