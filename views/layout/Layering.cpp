#include "views/layout/Layering.h"

#include <algorithm>
#include <numeric>

namespace doppler::views {

namespace {

constexpr int kOrderSweeps = 12;
constexpr int kPositionSweeps = 8;
constexpr double kBendWeight = 4;
/// Bends are made as long as there are no more than this many per op and edge.
constexpr std::int64_t kBendsPerItem = 2;
constexpr std::int64_t kFreeBends = 5'000;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

Layering::Layering(const graph::Graph& graph, const LayoutShape& shape, const LayoutWish& wish)
    : graph_(graph), shape_(shape), wish_(wish) {
    addBends();
    linkNeighbours();
    initialOrder();
}

bool Layering::arrange(const std::stop_token& stop) {
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

QSizeF Layering::size(OpId op) const {
    return wish_.sizes.empty() ? QSizeF(kNodeWidth, kNodeHeight) : wish_.sizes[at(op)];
}

double Layering::extentAlong(OpId op) const {
    return shape_.leftToRight ? size(op).width() : size(op).height();
}

double Layering::extentAcross(OpId op) const {
    return shape_.leftToRight ? size(op).height() : size(op).width();
}

int Layering::rows(int level) const {
    return (opsOnLevel_[at(level)] + shape_.opsPerRow - 1) / shape_.opsPerRow;
}

double Layering::room(Vertex v) const {
    if (!isOp(v)) {
        return kBendRoom / 2;
    }
    return (extentAcross(v) + shape_.nodeGap) / 2 / rows(level(v));
}

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
    // Edges to another band run between the bands.
    const auto leavesBand = [&](EdgeId edge) {
        return shape_.bandOf(level_[at(graph_.source(edge))]) !=
               shape_.bandOf(level_[at(graph_.target(edge))]);
    };
    for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
        edgesOfSpan[at(span(edge))] += leavesBand(edge) ? 0 : 1;
    }
    const std::int64_t budget =
        std::max(kFreeBends, kBendsPerItem * (std::int64_t{graph_.opCount()} + graph_.edgeCount()));
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
        if (span(edge) < 2 || span(edge) > limit || leavesBand(edge)) {
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
    across_.assign(level_.size(), 0);
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
            across_[at(v)] = next + room(v);
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
            across_[at(v)] -= nextX[at(level)] / 2;
        }
    }
}

double Layering::wishOf(Vertex v, bool down, bool both) const {
    double sum = 0;
    double weight = 0;
    const auto add = [&](const std::vector<std::int32_t>& begin, const std::vector<Vertex>& to) {
        for (std::int32_t i = begin[at(v)]; i < begin[at(v) + 1]; ++i) {
            const Vertex other = to[at(i)];
            const double pull = !isOp(v) && !isOp(other) ? kBendWeight : 1;
            sum += pull * across_[at(other)];
            weight += pull;
        }
    };
    if (down || both) {
        add(upBegin_, up_);
    }
    if (!down || both) {
        add(downBegin_, down_);
    }
    return weight > 0 ? sum / weight : across_[at(v)];
}

void Layering::placeLevel(int level, bool down, bool reorder) {
    std::vector<Vertex>& order = order_[at(level)];
    wishes_.clear();
    for (const Vertex v : order) {
        wishes_.emplace_back(wishOf(v, down, !reorder), v);
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
        across_[at(order[i])] = positions_[i];
    }
}

} // namespace doppler::views
