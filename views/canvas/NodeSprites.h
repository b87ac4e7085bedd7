#pragma once

#include <QHash>
#include <QPainter>
#include <QPixmap>

#include "core/graph/OpKind.h"
#include "views/canvas/NodePalette.h"

namespace doppler::views {

/// What decides how a node's body looks.
struct NodeBody {
    graph::OpFamily family = graph::OpFamily::Contraction;
    bool critical = false;
    bool outside = false; ///< outside the filter
};

/// Draws fill, hatch and border of a node that covers `node`.
void drawNodeBody(QPainter& painter, const QRectF& node, const NodeBody& body, const Swatch& swatch,
                  const Theme& theme);

/// Draws the device letter on the top left corner of `node`.
void drawDeviceTag(QPainter& painter, const QRectF& node, bool critical, const Swatch& swatch,
                   const Theme& theme);

/// Pictures of node bodies at one zoom, drawn once and then blitted.
class NodeSprites {
public:
    /// Drops everything if size, resolution or palette are others than before.
    void prepare(const QSizeF& nodeSize, double devicePixelRatio, const NodePalette& palette,
                 const Theme& theme);
    /// Forgets everything: palette or theme changed.
    void clear() { pixmaps_.clear(); }
    /// Blit the body or the tag of a node whose top left corner is at `topLeft` (of the view).
    void drawBody(QPainter& painter, const QPointF& topLeft, const NodeBody& body,
                  std::uint16_t swatch);
    void drawTag(QPainter& painter, const QPointF& topLeft, bool critical, std::uint16_t swatch);

private:
    template <typename Draw>
    void blit(QPainter& painter, const QPointF& topLeft, std::uint32_t key, Draw draw);

    QHash<std::uint32_t, QPixmap> pixmaps_;
    QSizeF nodeSize_;
    double ratio_ = 0;
    const NodePalette* palette_ = nullptr;
    const Theme* theme_ = nullptr;
};

} // namespace doppler::views
