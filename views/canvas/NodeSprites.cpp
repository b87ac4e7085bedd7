#include "views/canvas/NodeSprites.h"

#include <cmath>

#include "views/canvas/NodeShape.h"
#include "views/layout/GraphLayout.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

constexpr double kBorder = 1.2;
constexpr double kCriticalBorder = 2.6;
constexpr double kOutsideShare = 0.3;
constexpr int kHatchAlpha = 89; // 35 %
constexpr double kMargin = 6;   // around a sprite, for tag and border
constexpr QSizeF kTagSize(12, 13);
constexpr QPointF kTagOverhang(2, 3);
constexpr int kTagFont = 9;

} // namespace

void drawNodeBody(QPainter& painter, const QRectF& node, const NodeBody& body, const Swatch& swatch,
                  const Theme& theme) {
    const double border = body.critical ? kCriticalBorder : kBorder;
    // Small nodes keep more of their fill.
    const double pen = std::min(border, node.width() * (body.critical ? 0.16 : 0.08));
    const double inset = body.critical ? pen / 4 : pen / 2;
    const QPainterPath shape = nodeShape(body.family, node.adjusted(inset, inset, -inset, -inset));
    const double share = body.outside ? kOutsideShare : 1;
    const QColor line = theme.mixed(body.critical ? theme.ink : swatch.border, share);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.mixed(swatch.fill, share));
    painter.drawPath(shape);
    if (swatch.hatch != DeviceHatch::None && !body.outside) {
        QColor hatch = swatch.text;
        hatch.setAlpha(kHatchAlpha);
        painter.fillPath(shape, hatchBrush(hatch, swatch.hatch));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(line, pen));
    painter.drawPath(shape);
}

void drawDeviceTag(QPainter& painter, const QRectF& node, bool critical, const Swatch& swatch,
                   const Theme& theme) {
    if (swatch.tag.isEmpty()) {
        return;
    }
    const double scale = std::clamp(node.width() / kNodeWidth, 0.7, 1.4);
    QFont font = fontOfSize(std::max(7, static_cast<int>(std::lround(kTagFont * scale))), true);
    const QFontMetricsF metrics(font);
    QSizeF size = kTagSize * scale;
    size.setWidth(std::max(size.width(), metrics.horizontalAdvance(swatch.tag) + 4));
    const QRectF tag(node.topLeft() - kTagOverhang * scale, size);
    painter.setPen(QPen(critical ? theme.ink : swatch.tagBorder, 1));
    painter.setBrush(theme.canvas);
    painter.drawRoundedRect(tag, 2.5 * scale, 2.5 * scale);
    painter.setPen(theme.text);
    painter.setFont(font);
    painter.drawText(tag, Qt::AlignCenter, swatch.tag);
}

void NodeSprites::prepare(const QSizeF& nodeSize, double devicePixelRatio,
                          const NodePalette& palette, const Theme& theme) {
    if (nodeSize != nodeSize_ || devicePixelRatio != ratio_ || &palette != palette_ ||
        &theme != theme_) {
        pixmaps_.clear();
    }
    nodeSize_ = nodeSize;
    ratio_ = devicePixelRatio;
    palette_ = &palette;
    theme_ = &theme;
}

template <typename Draw>
void NodeSprites::blit(QPainter& painter, const QPointF& topLeft, std::uint32_t key, Draw draw) {
    QPixmap& pixmap = pixmaps_[key];
    if (pixmap.isNull()) {
        const QSizeF size = nodeSize_ + QSizeF(2 * kMargin, 2 * kMargin);
        pixmap = QPixmap((size * ratio_).toSize() + QSize(1, 1));
        pixmap.setDevicePixelRatio(ratio_);
        pixmap.fill(Qt::transparent);
        QPainter inner(&pixmap);
        inner.setRenderHint(QPainter::Antialiasing);
        draw(inner, QRectF(QPointF(kMargin, kMargin), nodeSize_));
    }
    // Whole device pixels: no blur, and the quick way to copy.
    const QPointF corner = (topLeft - QPointF(kMargin, kMargin)) * ratio_;
    painter.drawPixmap(QPointF(std::round(corner.x()), std::round(corner.y())) / ratio_, pixmap);
}

void NodeSprites::drawBody(QPainter& painter, const QPointF& topLeft, const NodeBody& body,
                           std::uint16_t swatch) {
    const std::uint32_t key = swatch | static_cast<std::uint32_t>(body.family) << 16U |
                              std::uint32_t{body.critical} << 20U |
                              std::uint32_t{body.outside} << 21U;
    blit(painter, topLeft, key, [&](QPainter& inner, const QRectF& node) {
        drawNodeBody(inner, node, body, palette_->swatches[swatch], *theme_);
    });
}

void NodeSprites::drawTag(QPainter& painter, const QPointF& topLeft, bool critical,
                          std::uint16_t swatch) {
    const std::uint32_t key = swatch | std::uint32_t{critical} << 20U | 1U << 22U;
    blit(painter, topLeft, key, [&](QPainter& inner, const QRectF& node) {
        drawDeviceTag(inner, node, critical, palette_->swatches[swatch], *theme_);
    });
}

} // namespace doppler::views
