#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "views/layout/GraphLayout.h"
#include "views/layout/LayoutShape.h"
#include "views/layout/Separate.h"

namespace doppler::views {

/// A graph on its levels, long edges split at every level between: finds an order and a position
/// across for every vertex by barycentre sweeps. What the layered layout draws from.
class Layering {
public:
    using Vertex = std::int32_t; ///< ops first, then the bends of long edges

    /// Keeps references to all three.
    Layering(const graph::Graph& graph, const LayoutShape& shape, const LayoutWish& wish);

    /// False if `stop` was requested.
    bool arrange(const std::stop_token& stop);

    bool isOp(Vertex v) const { return v < graph_.opCount(); }
    int level(Vertex v) const { return level_[static_cast<std::size_t>(v)]; }
    /// Position across the levels of a vertex.
    double across(Vertex v) const { return across_[static_cast<std::size_t>(v)]; }
    const std::vector<Vertex>& order(int level) const {
        return order_[static_cast<std::size_t>(level)];
    }
    /// The first of the bends of an edge, one for every level between its ends; -1: straight.
    Vertex firstBend(EdgeId edge) const { return firstBend_[static_cast<std::size_t>(edge)]; }
    QSizeF size(OpId op) const;
    /// Extent of an op along the direction of the levels, and across it.
    double extentAlong(OpId op) const;
    double extentAcross(OpId op) const;
    /// Rows that the ops of a level are stacked in.
    int rows(int level) const;

private:
    double room(Vertex v) const;
    void addBends();
    void linkNeighbours();
    void initialOrder();
    void placeLevel(int level, bool down, bool reorder);
    double wishOf(Vertex v, bool down, bool both) const;

    const graph::Graph& graph_;
    const LayoutShape& shape_;
    const LayoutWish& wish_;
    std::vector<std::int32_t> level_; // by vertex
    std::vector<Vertex> firstBend_;   // by edge
    std::vector<int> opsOnLevel_;
    std::vector<std::int32_t> upBegin_, downBegin_;
    std::vector<Vertex> up_, down_;
    std::vector<std::vector<Vertex>> order_; // by level
    std::vector<double> across_;
    // Scratch of placeLevel.
    std::vector<std::pair<double, Vertex>> wishes_;
    std::vector<LineBox> boxes_;
    std::vector<double> positions_;
};

} // namespace doppler::views
