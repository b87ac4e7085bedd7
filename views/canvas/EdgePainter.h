#pragma once

#include <QPainter>

#include "views/canvas/CanvasGeometry.h"
#include "views/canvas/CanvasScene.h"
#include "views/theme/Theme.h"

namespace doppler::views {

/// Which edges in view were left out.
enum class EdgeOmission : std::uint8_t {
    None,
    Local,   ///< those within a device
    Thinned, ///< also most of the others: too many to tell apart
};

/// Draws edges, batched by pen. Made for one picture; holds references only.
class EdgePainter {
public:
    /// With `quick`, many edges are drawn as thin lines the fast way (screens, PNG).
    EdgePainter(const CanvasScene& scene, const CriticalParts& critical, const Theme& theme,
                bool quick);

    /// Draws the edges that touch `viewRect`, under the nodes.
    EdgeOmission paint(QPainter& painter, const CanvasTransform& transform, const QRectF& viewRect,
                       const CanvasMarks& marks) const;
    /// The soft accent line under the edges of selected ops.
    void paintUnderlay(QPainter& painter, const CanvasTransform& transform,
                       const CanvasMarks& marks) const;
    /// The edges of selected ops once more, over a picture that has all of them.
    void paintSelected(QPainter& painter, const CanvasTransform& transform,
                       const CanvasMarks& marks) const;

private:
    struct Batches;
    std::vector<EdgeId> edgesInView(const CanvasTransform& transform, const QRectF& viewRect) const;
    std::vector<EdgeId> edgesOfSelection(const CanvasMarks& marks) const;
    EdgeOmission thin(std::vector<EdgeId>& edges) const;
    void paintLines(QPainter& painter, const CanvasTransform& transform, const QRectF& viewRect,
                    const std::vector<EdgeId>& edges, const CanvasMarks& marks) const;
    void paintCurves(QPainter& painter, const CanvasTransform& transform,
                     const std::vector<EdgeId>& edges, const CanvasMarks& marks) const;

    const CanvasScene& scene_;
    const CriticalParts& critical_;
    const Theme& theme_;
    bool quick_;
};

} // namespace doppler::views
