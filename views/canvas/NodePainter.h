#pragma once

#include <QPainter>

#include "views/canvas/CanvasGeometry.h"
#include "views/canvas/NodePalette.h"
#include "views/canvas/NodeSprites.h"

namespace doppler::views {

/// Draws nodes at every level of detail. Made for one picture; holds references only.
class NodePainter {
public:
    /// With `sprites`, nodes are blitted (screens, PNG); without, they are drawn as shapes and
    /// text (SVG, PDF).
    NodePainter(const CanvasScene& scene, const NodePalette& palette, const CriticalParts& critical,
                const Theme& theme, NodeSprites* sprites);

    void paint(QPainter& painter, const CanvasTransform& transform, const std::vector<OpId>& ops,
               const CanvasMarks& marks) const;
    /// Device letters: above rings, so that no neighbour's ring covers them.
    void paintTags(QPainter& painter, const CanvasTransform& transform,
                   const std::vector<OpId>& ops, const CanvasMarks& marks) const;
    void paintRings(QPainter& painter, const CanvasTransform& transform,
                    const CanvasMarks& marks) const;
    void paintPins(QPainter& painter, const CanvasTransform& transform,
                   const std::vector<OpId>& ops) const;

private:
    void paintDensity(QPainter& painter, const CanvasTransform& transform,
                      const std::vector<OpId>& ops, const CanvasMarks& marks) const;
    void paintSquares(QPainter& painter, const CanvasTransform& transform,
                      const std::vector<OpId>& ops, const CanvasMarks& marks) const;
    void paintShapes(QPainter& painter, const CanvasTransform& transform,
                     const std::vector<OpId>& ops, const CanvasMarks& marks) const;
    void paintIds(QPainter& painter, const CanvasTransform& transform, const std::vector<OpId>& ops,
                  const CanvasMarks& marks) const;
    void paintText(QPainter& painter, const CanvasTransform& transform, OpId op) const;
    /// Whether critical ops stand out among `ops`, so that marking them says something.
    bool marksCritical(const std::vector<OpId>& ops) const;
    QColor squareColour(OpId op, const CanvasMarks& marks) const;
    QRectF squareInView(OpId op, const CanvasTransform& transform) const;

    const CanvasScene& scene_;
    const NodePalette& palette_;
    const CriticalParts& critical_;
    const Theme& theme_;
    NodeSprites* sprites_;
};

} // namespace doppler::views
