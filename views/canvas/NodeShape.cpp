#include "views/canvas/NodeShape.h"

#include <algorithm>
#include <cmath>

#include "views/layout/GraphLayout.h"

namespace doppler::views {

namespace {
constexpr double kCornerRadius = 4; // at 100 %
constexpr double kShoulder = 0.66;  // where a formation starts to narrow
constexpr double kFoot = 0.24;      // how far it narrows on each side
constexpr double kSlant = 0.2;      // of a parallelogram
} // namespace

QPainterPath nodeShape(graph::OpFamily family, const QRectF& node) {
    const double radius = kCornerRadius * node.width() / kNodeWidth;
    QPainterPath path;
    switch (family) {
    case graph::OpFamily::Contraction:
        path.addRoundedRect(node, radius, radius);
        break;
    case graph::OpFamily::Formation: {
        const double soft = radius / 2;
        const double shoulder = node.top() + kShoulder * node.height();
        path.moveTo(node.left() + soft, node.top());
        path.lineTo(node.right() - soft, node.top());
        path.quadTo(node.topRight(), node.topRight() + QPointF(0, soft));
        path.lineTo(node.right(), shoulder);
        path.lineTo(node.right() - kFoot * node.width(), node.bottom());
        path.lineTo(node.left() + kFoot * node.width(), node.bottom());
        path.lineTo(node.left(), shoulder);
        path.lineTo(node.left(), node.top() + soft);
        path.quadTo(node.topLeft(), node.topLeft() + QPointF(soft, 0));
        path.closeSubpath();
        break;
    }
    case graph::OpFamily::Elementwise: {
        const double round = std::min(node.width(), node.height()) / 2;
        path.addRoundedRect(node, round, round);
        break;
    }
    case graph::OpFamily::DataMovement: {
        const double slant = kSlant * node.width();
        path.moveTo(node.left() + slant, node.top());
        path.lineTo(node.topRight());
        path.lineTo(node.right() - slant, node.bottom());
        path.lineTo(node.bottomLeft());
        path.closeSubpath();
        break;
    }
    }
    return path;
}

namespace {
bool isInside(graph::OpFamily family, const QRectF& node, const QPointF& point) {
    // Relative to the middle; all shapes but the parallelogram are symmetric.
    const QPointF p = point - node.center();
    const double halfWidth = node.width() / 2;
    const double halfHeight = node.height() / 2;
    switch (family) {
    case graph::OpFamily::Formation: {
        const double shoulder = (kShoulder - 0.5) * node.height();
        const double below = std::max(0.0, p.y() - shoulder) / (halfHeight - shoulder);
        return std::abs(p.x()) <= halfWidth - below * kFoot * node.width();
    }
    case graph::OpFamily::Elementwise: {
        const double round = std::min(halfWidth, halfHeight);
        const double x = std::max(0.0, std::abs(p.x()) - (halfWidth - round));
        const double y = std::max(0.0, std::abs(p.y()) - (halfHeight - round));
        return x * x + y * y <= round * round;
    }
    case graph::OpFamily::DataMovement: {
        const double slant = kSlant * halfWidth;
        const double shift = -p.y() / halfHeight * slant;
        return std::abs(p.x() - shift) <= halfWidth - slant;
    }
    default:
        return true;
    }
}
} // namespace

QPointF touchPoint(graph::OpFamily family, const QRectF& node, const QPointF& border) {
    if (isInside(family, node, border)) {
        return border;
    }
    double outside = 0;
    double inside = 1;
    for (int step = 0; step < 6; ++step) {
        const double share = (outside + inside) / 2;
        (isInside(family, node, border + share * (node.center() - border)) ? inside : outside) =
            share;
    }
    return border + inside * (node.center() - border);
}

QRectF textArea(graph::OpFamily family, const QRectF& node) {
    const double side = node.width() * (family == graph::OpFamily::DataMovement ? kSlant : 0.06);
    const double bottom =
        node.height() * (family == graph::OpFamily::Formation ? 1 - kShoulder : 0.08);
    return node.adjusted(side, node.height() * 0.12, -side, -bottom);
}

} // namespace doppler::views
