#pragma once

#include <QPainterPath>
#include <QRectF>

#include "core/graph/OpKind.h"

namespace doppler::views {

/// Outline of a node: the shape tells the family of its kind.
QPainterPath nodeShape(graph::OpFamily family, const QRectF& node);

/// Where a line from `border`, a point of the node's box, to the middle meets the outline.
QPointF touchPoint(graph::OpFamily family, const QRectF& node, const QPointF& border);

/// The part of a node that text may fill.
QRectF textArea(graph::OpFamily family, const QRectF& node);

} // namespace doppler::views
