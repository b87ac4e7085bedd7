#pragma once

/// views/layout: where ops and edges are drawn. Pure values and functions that run on any thread;
/// uses core/graph and QtCore.

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/Graph.h"

namespace doppler::views {

/// Size of a node in scene units: pixels at 100 %.
inline constexpr double kNodeWidth = 26;
inline constexpr double kNodeHeight = 32;

enum class LayoutEngine : std::uint8_t { Layered, Dot };

/// Positions of all ops and the curve of every edge, in scene units (y grows downwards).
struct GraphLayout {
    std::vector<QPointF> centres; ///< by op
    /// Of all edges: 1 + 3 k points of k cubic Bézier pieces, from the producer's border to the
    /// consumer's.
    std::vector<QPointF> curvePoints;
    std::vector<std::uint32_t> curveBegin{0}; ///< by edge, and one past the last
    QRectF bounds;                            ///< of everything
    bool leftToRight = false;
    LayoutEngine engine = LayoutEngine::Layered;

    int opCount() const { return static_cast<int>(centres.size()); }
    int edgeCount() const { return static_cast<int>(curveBegin.size()) - 1; }
    QPointF centre(OpId op) const { return centres[static_cast<std::size_t>(op)]; }
    QRectF nodeRect(OpId op) const {
        return {centre(op) - QPointF(kNodeWidth / 2, kNodeHeight / 2),
                QSizeF(kNodeWidth, kNodeHeight)};
    }
    std::span<const QPointF> curve(EdgeId edge) const {
        const auto begin = curveBegin[static_cast<std::size_t>(edge)];
        const auto end = curveBegin[static_cast<std::size_t>(edge) + 1];
        return std::span(curvePoints).subspan(begin, end - begin);
    }
    /// Computes `bounds` from nodes and curves.
    void updateBounds();
};

} // namespace doppler::views
