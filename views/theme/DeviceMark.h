#pragma once

#include <QBrush>
#include <QIcon>
#include <QRectF>

#include "views/theme/Theme.h"

class QPainter;

namespace doppler::views {

/// The hatch of devices beyond the eighth, to lay over their fill; no brush for the others.
QBrush hatchBrush(const DeviceStyle& style);

/// 45 degree lines, 1.2 px every 5 px.
QBrush hatchBrush(const QColor& line, DeviceHatch hatch = DeviceHatch::Diagonal);

/// A device's chip: rounded square (18 or 16 px) with its letter. Widen it for two letters with
/// chipWidth().
void paintDeviceChip(QPainter& painter, const QRectF& rect, const DeviceStyle& style);

/// Width of a chip of that height; more than the height for two letters.
double chipWidth(const DeviceStyle& style, double height);

/// The chip as an icon, for menus and lists.
QIcon deviceIcon(const Theme& theme, DeviceId device, int size = 16);

} // namespace doppler::views
