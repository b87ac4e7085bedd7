#include "views/canvas/ChipStrip.h"

#include <algorithm>
#include <cmath>

#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {
constexpr double kChip = 28;
constexpr double kGap = 6;
constexpr double kPadding = 8;
constexpr double kDistance = 30; // from the pointer
constexpr int kChipsPerRow = 8;
constexpr double kSlack = 3; // around a chip, so that nothing falls between
} // namespace

ChipStrip::ChipStrip(const QPointF& pointer, const QRectF& view, const cluster::Cluster& cluster) {
    const int devices = cluster.deviceCount();
    const int columns = std::min(devices, kChipsPerRow);
    const int rows = (devices + columns - 1) / columns;
    const QSizeF size(columns * (kChip + kGap) - kGap + 2 * kPadding,
                      rows * (kChip + kGap) - kGap + 2 * kPadding);
    const bool below = pointer.y() + kDistance + size.height() < view.bottom();
    const double top = below ? pointer.y() + kDistance : pointer.y() - kDistance - size.height();
    const double left = std::clamp(pointer.x() - size.width() / 2, view.left() + 4,
                                   std::max(view.left() + 4, view.right() - size.width() - 4));
    rect_ = QRectF(QPointF(left, std::max(view.top() + 4, top)), size);
    for (int device = 0; device < devices; ++device) {
        const QPointF place(device % columns * (kChip + kGap), device / columns * (kChip + kGap));
        chips_.emplace_back(rect_.topLeft() + QPointF(kPadding, kPadding) + place,
                            QSizeF(kChip, kChip));
    }
}

DeviceId ChipStrip::deviceAt(const QPointF& point) const {
    for (std::size_t device = 0; device < chips_.size(); ++device) {
        if (chips_[device].adjusted(-kSlack, -kSlack, kSlack, kSlack).contains(point)) {
            return static_cast<DeviceId>(device);
        }
    }
    return kNoDevice;
}

void ChipStrip::paint(QPainter& painter, const Theme& theme, DeviceId target) const {
    if (isEmpty()) {
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.control, 1));
    painter.setBrush(theme.base);
    painter.drawRoundedRect(rect_.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    for (std::size_t device = 0; device < chips_.size(); ++device) {
        paintDeviceChip(painter, chips_[device], theme.device(static_cast<DeviceId>(device)));
    }
    if (target != kNoDevice) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 2.5));
        painter.drawRoundedRect(chip(target).adjusted(-2.5, -2.5, 2.5, 2.5), 5, 5);
    }
    painter.restore();
}

} // namespace doppler::views
