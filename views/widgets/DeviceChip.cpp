#include "views/widgets/DeviceChip.h"

#include <QPainterPath>
#include <cmath>

namespace doppler::views {

namespace {
constexpr qreal kChipRadius = 3;
constexpr qreal kHatchSpacing = 5;
constexpr qreal kHatchWidth = 1.2;
constexpr qreal kHatchOpacity = 0.35;
constexpr qreal kLetterShare = 0.62; // of the chip's height
} // namespace

void fillWithDevice(QPainter& painter, const QPainterPath& path, const DeviceStyle& style) {
    painter.fillPath(path, style.fill);
    if (style.hatch == DeviceHatch::None) {
        return;
    }
    painter.save();
    painter.setClipPath(path, Qt::IntersectClip);
    QColor ink = style.text;
    ink.setAlphaF(static_cast<float>(kHatchOpacity));
    painter.setPen(QPen(ink, kHatchWidth));
    const QRectF box = path.boundingRect();
    // Anchored to the coordinate grid, so that neighbouring shapes share their hatch lines.
    const qreal first = std::floor((box.left() - box.height()) / kHatchSpacing) * kHatchSpacing;
    for (qreal x = first; x < box.right(); x += kHatchSpacing) {
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
        if (style.hatch == DeviceHatch::Crossed) {
            painter.drawLine(QPointF(x, box.top()), QPointF(x + box.height(), box.bottom()));
        }
    }
    painter.restore();
}

void paintDeviceChip(QPainter& painter, const QRectF& rect, const DeviceStyle& style) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath path;
    path.addRoundedRect(rect, kChipRadius, kChipRadius);
    fillWithDevice(painter, path, style);
    QFont font = fontOfSize(qRound(rect.height() * kLetterShare), true);
    if (style.letter.size() > 1) {
        font.setPixelSize(qRound(rect.height() * kLetterShare * 0.75));
    }
    painter.setFont(font);
    painter.setPen(style.text);
    painter.drawText(rect, Qt::AlignCenter, style.letter);
    painter.restore();
}

DeviceChip::DeviceChip(const Appearance& appearance, QWidget* parent)
    : QWidget(parent), appearance_(appearance) {
    setFixedSize(kChipSize, kChipSize);
    connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
}

void DeviceChip::setDevice(DeviceId device, const QString& deviceName) {
    device_ = device;
    const QString text =
        QStringLiteral("%1, %2").arg(appearance_.theme().device(device).letter, deviceName);
    setAccessibleName(text);
    setToolTip(text);
    update();
}

void DeviceChip::paintEvent(QPaintEvent*) {
    if (device_ == kNoDevice) {
        return;
    }
    QPainter painter(this);
    paintDeviceChip(painter, QRectF(rect()), appearance_.theme().device(device_));
}

} // namespace doppler::views
