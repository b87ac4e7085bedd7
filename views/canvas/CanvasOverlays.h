#pragma once

#include <QPainter>
#include <optional>

#include "views/canvas/CanvasGeometry.h"
#include "views/canvas/LegendPainter.h"

namespace doppler::views {

/// Legend and minimap: where they stand (in the emptiest corners), and how they are drawn.
class CanvasOverlays {
public:
    bool showLegend = true;
    bool showMinimap = true;

    /// Chooses corners; where the legend would cover nodes of a fitted view, the view is fitted
    /// again beside it.
    void arrange(CanvasGeometry& geometry, const QSizeF& legendSize);

    void paintLegend(QPainter& painter, const LegendPainter& legend, const QPointF& pointer) const;
    void paintMinimap(QPainter& painter, const CanvasScene& scene, const NodePalette& palette,
                      const CanvasGeometry& geometry, const Theme& theme);
    /// Colours or places changed.
    void forgetMinimap() { minimapNodes_ = {}; }

    QRectF legendRect() const { return legend_; }
    QRectF minimapRect() const { return minimap_; }
    /// The place of the scene that a point of the minimap stands for.
    QPointF sceneAt(const QPointF& viewPoint, const CanvasGeometry& geometry) const;

private:
    CanvasTransform minimapTransform(const CanvasGeometry& geometry) const;

    QRectF legend_;  // empty: not shown
    QRectF minimap_; // empty: not shown
    QImage minimapNodes_;
};

} // namespace doppler::views
