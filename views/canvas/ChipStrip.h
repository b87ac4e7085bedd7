#pragma once

#include <QPainter>
#include <vector>

#include "core/cluster/Cluster.h"
#include "views/theme/Theme.h"

namespace doppler::views {

/// The row of device chips that appears while ops are dragged: drop on one to assign.
class ChipStrip {
public:
    ChipStrip() = default;
    /// Near `pointer`, inside `view`, and not under the pointer.
    ChipStrip(const QPointF& pointer, const QRectF& view, const cluster::Cluster& cluster);

    bool isEmpty() const { return chips_.empty(); }
    QRectF rect() const { return rect_; }
    QRectF chip(DeviceId device) const { return chips_[static_cast<std::size_t>(device)]; }
    /// The device whose chip is at a point, or kNoDevice.
    DeviceId deviceAt(const QPointF& point) const;
    /// `target` is the chip under the pointer.
    void paint(QPainter& painter, const Theme& theme, DeviceId target) const;

private:
    QRectF rect_;
    std::vector<QRectF> chips_;
};

} // namespace doppler::views
