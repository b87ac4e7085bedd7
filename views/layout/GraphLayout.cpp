#include "views/layout/GraphLayout.h"

#include <algorithm>

namespace doppler::views {

void GraphLayout::updateBounds() {
    if (centres.empty()) {
        bounds = {};
        return;
    }
    double left = centres[0].x(), right = left, top = centres[0].y(), bottom = top;
    const auto include = [&](const QPointF& point, double halfWidth, double halfHeight) {
        left = std::min(left, point.x() - halfWidth);
        right = std::max(right, point.x() + halfWidth);
        top = std::min(top, point.y() - halfHeight);
        bottom = std::max(bottom, point.y() + halfHeight);
    };
    for (const QPointF& centre : centres) {
        include(centre, kNodeWidth / 2, kNodeHeight / 2);
    }
    for (const QPointF& point : curvePoints) {
        include(point, 0, 0);
    }
    bounds = QRectF(QPointF(left, top), QPointF(right, bottom));
}

} // namespace doppler::views
