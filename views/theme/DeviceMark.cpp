#include "views/theme/DeviceMark.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPixmap>
#include <cmath>

namespace doppler::views {

namespace {

constexpr double kChipRadius = 3;
constexpr double kLetterShare = 0.68; // of the chip's height
constexpr int kHatchPeriod = 5;
constexpr int kHatchScale = 4; // drawn larger and scaled down, so that the lines are smooth
constexpr double kHatchWidth = 1.2;
constexpr int kHatchAlpha = 35 * 255 / 100;

QImage hatchTile(const QColor& line, DeviceHatch hatch) {
    // The period runs across the lines, so along an axis it is longer by the root of 2.
    const int side = static_cast<int>(std::lround(kHatchPeriod * std::sqrt(2.0) * kHatchScale));
    QImage tile(side, side, QImage::Format_ARGB32_Premultiplied);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, kHatchWidth * kHatchScale, Qt::SolidLine, Qt::FlatCap));
    for (const int shift : {-side, 0, side}) {
        painter.drawLine(shift - side, 2 * side, shift + 2 * side, -side);
        if (hatch == DeviceHatch::Crossed) {
            painter.drawLine(shift - side, -side, shift + 2 * side, 2 * side);
        }
    }
    return tile;
}

QFont letterFont(double height) {
    return fontOfSize(static_cast<int>(std::lround(height * kLetterShare)), true);
}

} // namespace

QBrush hatchBrush(const DeviceStyle& style) {
    if (style.hatch == DeviceHatch::None) {
        return Qt::NoBrush;
    }
    QColor line = style.text;
    line.setAlpha(kHatchAlpha);
    return hatchBrush(line, style.hatch);
}

QBrush hatchBrush(const QColor& line, DeviceHatch hatch) {
    QBrush brush(hatchTile(line, hatch));
    brush.setTransform(QTransform::fromScale(1.0 / kHatchScale, 1.0 / kHatchScale));
    return brush;
}

double chipWidth(const DeviceStyle& style, double height) {
    if (style.letter.size() < 2) {
        return height;
    }
    return std::ceil(QFontMetricsF(letterFont(height)).horizontalAdvance(style.letter)) + 6;
}

void paintDeviceChip(QPainter& painter, const QRectF& rect, const DeviceStyle& style) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.fill);
    painter.drawRoundedRect(rect, kChipRadius, kChipRadius);
    if (style.hatch != DeviceHatch::None) {
        // A hatch under the letter would make it hard to read: only a frame of it shows.
        painter.setBrush(hatchBrush(style));
        painter.drawRoundedRect(rect, kChipRadius, kChipRadius);
        painter.setBrush(style.fill);
        painter.drawRoundedRect(rect.adjusted(2.5, 2.5, -2.5, -2.5), 2, 2);
    }
    painter.setPen(style.text);
    painter.setFont(letterFont(rect.height()));
    painter.drawText(rect, Qt::AlignCenter, style.letter);
    painter.restore();
}

QIcon deviceIcon(const Theme& theme, DeviceId device, int size) {
    const DeviceStyle style = theme.device(device);
    const double width = chipWidth(style, size);
    QIcon icon;
    for (const int scale : {1, 2}) {
        QPixmap pixmap(static_cast<int>(width) * scale, size * scale);
        pixmap.setDevicePixelRatio(scale);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paintDeviceChip(painter, QRectF(0, 0, width, size), style);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace doppler::views
