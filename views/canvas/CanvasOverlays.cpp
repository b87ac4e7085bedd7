#include "views/canvas/CanvasOverlays.h"

#include <algorithm>
#include <array>

#include "views/canvas/GroupPainter.h"

namespace doppler::views {

namespace {

constexpr double kMargin = 8;
constexpr double kMinimapArea = 112.0 * 62.0;
constexpr double kMinimapPadding = 5;
constexpr double kMinimapMinSide = 40;
constexpr double kMinimapMaxSide = 150;
constexpr double kMinimapShare = 0.34; // of the canvas, at most
constexpr double kLegendShare = 0.3;
constexpr int kFitSteps = 6;
constexpr double kFadedOpacity = 0.12;
constexpr double kCardRadius = 6;
constexpr double kDotShare = 0.9; // of a node, on the minimap

enum class Corner { TopLeft, TopRight, BottomRight, BottomLeft };

QRectF inCorner(Corner corner, const QSizeF& size, const QRectF& view) {
    const bool left = corner == Corner::TopLeft || corner == Corner::BottomLeft;
    const bool top = corner == Corner::TopLeft || corner == Corner::TopRight;
    return {QPointF(left ? kMargin : view.width() - kMargin - size.width(),
                    top ? kMargin : view.height() - kMargin - size.height()),
            size};
}

/// The corner where a card covers the fewest nodes; the first listed of equal ones.
Corner emptiest(const CanvasGeometry& geometry, const QSizeF& size,
                std::initializer_list<Corner> corners, const QRectF& taken, std::size_t& covered) {
    Corner best = *corners.begin();
    covered = std::numeric_limits<std::size_t>::max();
    for (const Corner corner : corners) {
        const QRectF card = inCorner(corner, size, geometry.viewRect());
        if (card.intersects(taken)) {
            continue;
        }
        const std::size_t nodes = geometry.countIn(card.adjusted(-6, -6, 6, 6));
        if (nodes < covered) {
            best = corner;
            covered = nodes;
        }
    }
    return best;
}

/// The minimap has the drawing's format and about the same area for every graph.
QSizeF minimapSize(const QRectF& bounds, const QRectF& view) {
    const double aspect = std::clamp(bounds.width() / std::max(bounds.height(), 1.0), 0.25, 4.0);
    const double height = std::sqrt(kMinimapArea / aspect);
    return {std::clamp(height * aspect, kMinimapMinSide,
                       std::min(kMinimapMaxSide, view.width() * kMinimapShare)),
            std::clamp(height, kMinimapMinSide,
                       std::min(kMinimapMaxSide, view.height() * kMinimapShare))};
}

/// The nodes as dots of whole pixels, set one by one: a painter would take a tenth of a second for
/// a large graph.
void paintDots(QImage& image, const CanvasTransform& toPixels, const CanvasScene& scene,
               const NodePalette& palette) {
    std::vector<QRgb> colours;
    for (const Swatch& swatch : palette.swatches) {
        colours.push_back(swatch.fill.rgb());
    }
    const int width = std::max(1, qRound(kNodeWidth * toPixels.zoom * kDotShare));
    const int height = std::max(1, qRound(kNodeHeight * toPixels.zoom * kDotShare));
    for (OpId op = 0; op < scene.graph().opCount(); ++op) {
        if (scene.isHidden(op)) {
            continue;
        }
        const QPointF centre = toPixels.toView(scene.layout->centre(op));
        const QRect dot = QRect(qRound(centre.x() - width / 2.0), qRound(centre.y() - height / 2.0),
                                width, height)
                              .intersected(image.rect());
        const QRgb colour = colours[palette.swatchOf[static_cast<std::size_t>(op)]];
        for (int y = dot.top(); y <= dot.bottom(); ++y) {
            QRgb* line = reinterpret_cast<QRgb*>(image.scanLine(y));
            std::fill(line + dot.left(), line + dot.right() + 1, colour);
        }
    }
}

} // namespace

void CanvasOverlays::arrange(CanvasGeometry& geometry, const QSizeF& legendSize) {
    legend_ = {};
    minimap_ = {};
    geometry.setFitMargins({});
    if (geometry.isFitted()) {
        geometry.fitAll();
    }
    if (geometry.isEmpty()) {
        return;
    }
    const QRectF view = geometry.viewRect();
    const bool roomForLegend = showLegend && !legendSize.isEmpty() &&
                               legendSize.width() < view.width() * kLegendShare &&
                               legendSize.height() + 2 * kMargin < view.height();
    std::size_t covered = 0;
    if (roomForLegend) {
        const Corner corner =
            emptiest(geometry, legendSize,
                     {Corner::TopLeft, Corner::BottomLeft, Corner::TopRight, Corner::BottomRight},
                     {}, covered);
        legend_ = inCorner(corner, legendSize, view);
        // Where it covers nodes, the drawing makes as much room at the left as that takes.
        for (int step = 1; step <= kFitSteps && covered > 0 && geometry.isFitted(); ++step) {
            geometry.setFitMargins(
                QMarginsF((legendSize.width() + kMargin) * step / kFitSteps, 0, 0, 0));
            geometry.fitAll();
            const Corner best =
                emptiest(geometry, legendSize, {Corner::TopLeft, Corner::BottomLeft}, {}, covered);
            legend_ = inCorner(best, legendSize, view);
        }
    }
    if (showMinimap) {
        const QSizeF size = minimapSize(geometry.layout()->bounds, view);
        const Corner corner =
            emptiest(geometry, size,
                     {Corner::TopRight, Corner::BottomRight, Corner::BottomLeft, Corner::TopLeft},
                     legend_, covered);
        // With everything in view it is only an ornament, and not worth covering a node for.
        if (covered == 0 || !geometry.isFitted()) {
            minimap_ = inCorner(corner, size, view);
        }
    }
    forgetMinimap();
}

void CanvasOverlays::paintLegend(QPainter& painter, const LegendPainter& legend,
                                 const QPointF& pointer) const {
    if (legend_.isEmpty()) {
        return;
    }
    painter.save();
    if (legend_.contains(pointer)) {
        painter.setOpacity(kFadedOpacity);
    }
    legend.paint(painter, legend_.topLeft());
    painter.restore();
}

CanvasTransform CanvasOverlays::minimapTransform(const CanvasGeometry& geometry) const {
    const double padding = kMinimapPadding;
    return CanvasTransform::fitting(geometry.layout()->bounds,
                                    minimap_.adjusted(padding, padding, -padding, -padding));
}

void CanvasOverlays::paintMinimap(QPainter& painter, const CanvasScene& scene,
                                  const NodePalette& palette, const CanvasGeometry& geometry,
                                  const Theme& theme) {
    if (minimap_.isEmpty() || scene.isEmpty()) {
        return;
    }
    const CanvasTransform transform = minimapTransform(geometry);
    const double ratio = painter.device()->devicePixelRatioF();
    if (minimapNodes_.isNull() || minimapNodes_.devicePixelRatio() != ratio) {
        minimapNodes_ =
            QImage((minimap_.size() * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        minimapNodes_.setDevicePixelRatio(ratio);
        minimapNodes_.fill(Qt::transparent);
        QPainter nodes(&minimapNodes_);
        nodes.translate(-minimap_.topLeft());
        GroupPainter(scene, palette, {}, theme).paintSmall(nodes, transform);
        nodes.end();
        const CanvasTransform toPixels{transform.zoom * ratio,
                                       (transform.offset - minimap_.topLeft()) * ratio};
        paintDots(minimapNodes_, toPixels, scene, palette);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.control, 1));
    painter.setBrush(theme.base);
    painter.drawRoundedRect(minimap_.adjusted(0.5, 0.5, -0.5, -0.5), kCardRadius, kCardRadius);
    painter.drawImage(minimap_.topLeft(), minimapNodes_);
    const QRectF frame =
        transform.toView(geometry.visibleScene()).intersected(minimap_.adjusted(2, 2, -2, -2));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.drawRoundedRect(frame, 3, 3);
    painter.restore();
}

QPointF CanvasOverlays::sceneAt(const QPointF& viewPoint, const CanvasGeometry& geometry) const {
    return minimapTransform(geometry).toScene(viewPoint);
}

} // namespace doppler::views
