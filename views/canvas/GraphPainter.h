#pragma once

#include "views/canvas/EdgePainter.h"
#include "views/canvas/GroupPainter.h"
#include "views/canvas/NodePainter.h"

namespace doppler::views {

/// Draws a scene: the same for the window and for pictures in files.
class GraphPainter {
public:
    /// See NodePainter for `sprites`.
    GraphPainter(const CanvasScene& scene, const NodePalette& palette,
                 const CriticalParts& critical, const Theme& theme, NodeSprites* sprites = nullptr);

    /// Everything that touches `viewRect`, from edges to pins; no background.
    EdgeOmission paint(QPainter& painter, const CanvasTransform& transform, const QRectF& viewRect,
                       const CanvasMarks& marks = {}) const;
    /// Selection and hover over a picture of the scene without them.
    void paintMarks(QPainter& painter, const CanvasTransform& transform,
                    const CanvasMarks& marks) const;

    /// Canvas colour with the dots of the grid, which moves with the scene.
    static void paintBackground(QPainter& painter, const QRectF& viewRect, const QPointF& offset,
                                const Theme& theme);

private:
    std::vector<OpId> opsInView(const CanvasTransform& transform, const QRectF& viewRect) const;

    const CanvasScene& scene_;
    NodePainter nodes_;
    EdgePainter edges_;
    GroupPainter groups_;
};

} // namespace doppler::views
