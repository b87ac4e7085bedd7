#include "views/gantt/GanttOverlay.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "views/format/Format.h"

namespace doppler::views {

namespace {

constexpr double kTagHeight = 18;
constexpr double kTagPadding = 6;
constexpr double kRing = 2.5;
// In a large selection, narrower ops are marked by a line above their lane.
constexpr double kRingFrom = 3;
constexpr std::size_t kRingAlways = 32;
constexpr double kRulerShare = 0.10;

QColor transparent(QColor colour, double share) {
    colour.setAlphaF(static_cast<float>(share));
    return colour;
}

/// A small label on the title line of the first timeline, kept inside the view.
void paintTag(QPainter& painter, const GanttGeometry& geometry, double x, const QString& text,
              const QColor& fill, const QColor& ink, const QColor& halo) {
    const QFont font = fontOfSize(11, true);
    const double width = QFontMetricsF(font).horizontalAdvance(text) + 2 * kTagPadding;
    const double top = std::max(2.0, geometry.titleRect(0).bottom() - kTagHeight - 3);
    const double left = std::clamp(x - width / 2, 2.0, std::max(2.0, geometry.width() - width - 2));
    const QRectF rect(left, top, width, kTagHeight);
    painter.setPen(QPen(halo, 3)); // sets the tag off the title that it may cover
    painter.setBrush(fill);
    painter.drawRoundedRect(rect, 3, 3);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(rect, 3, 3);
    painter.setPen(ink);
    painter.setFont(font);
    painter.drawText(rect, Qt::AlignCenter, text);
}

void outlineOp(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry, OpId op,
               const QPen& pen, double distance, double radius) {
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    for (int track = 0; track < geometry.trackCount(); ++track) {
        const GanttTrack& source = scene.tracks[static_cast<std::size_t>(track)];
        if (op < 0 || op >= static_cast<OpId>(source.timeline->executionOf.size())) {
            continue;
        }
        const std::int32_t index = source.timeline->executionOf[static_cast<std::size_t>(op)];
        if (index < 0) {
            continue;
        }
        const QRectF rect =
            geometry.intervalRect(track, source.interval(index), source.lanes->rowOf(index));
        painter.drawRoundedRect(rect.adjusted(-distance, -distance, distance, distance), radius,
                                radius);
    }
}

void paintSelection(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry,
                    const std::set<OpId>& ops) {
    const QPen pen(scene.theme.accent, kRing);
    for (int track = 0; track < geometry.trackCount(); ++track) {
        const GanttTrack& source = scene.tracks[static_cast<std::size_t>(track)];
        for (const OpId op : ops) {
            if (op >= static_cast<OpId>(source.timeline->executionOf.size())) {
                continue;
            }
            const std::int32_t index = source.timeline->executionOf[static_cast<std::size_t>(op)];
            if (index < 0) {
                continue;
            }
            const sim::Interval& interval = source.interval(index);
            if (static_cast<double>(interval.end) < geometry.from() ||
                static_cast<double>(interval.start) > geometry.to()) {
                continue;
            }
            const QRectF rect = geometry.intervalRect(track, interval, source.lanes->rowOf(index));
            if (rect.width() < kRingFrom && ops.size() > kRingAlways) {
                painter.fillRect(QRectF(rect.left() - 0.5, rect.top() - kRing, 2, kRing),
                                 scene.theme.accent);
                continue;
            }
            // Drawn twice: a halo of the background sets the ring off its neighbours.
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(scene.theme.base, kRing + 2));
            painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), 4, 4);
            painter.setPen(pen);
            painter.drawRoundedRect(rect.adjusted(-1.5, -1.5, 1.5, 1.5), 4, 4);
        }
    }
}

void paintRuler(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry,
                const TimeRange& range) {
    const double left = geometry.x(static_cast<double>(range.from));
    const double right = geometry.x(static_cast<double>(range.to));
    const double top = geometry.titleRect(0).bottom() - 3;
    const QRectF area(left, top, right - left, geometry.axisRect().top() - top);
    painter.fillRect(area, transparent(scene.theme.accent, kRulerShare));
    painter.setPen(QPen(scene.theme.accent, 1.2));
    painter.drawLine(area.topLeft(), area.bottomLeft());
    painter.drawLine(area.topRight(), area.bottomRight());
}

void paintPlayHead(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry,
                   Time time) {
    const double x = std::round(geometry.x(static_cast<double>(time)));
    const double top = std::max(2.0, geometry.titleRect(0).bottom() - 3);
    painter.fillRect(QRectF(x - 1, top, 2, geometry.axisRect().top() - top + 4),
                     scene.theme.playHead);
    const QPointF tip(x, top + 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(scene.theme.playHead);
    painter.drawPolygon(QPolygonF({tip, tip + QPointF(-5, -5), tip + QPointF(5, -5)}));
}

void paintSelectedChip(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry,
                       DeviceId device) {
    painter.setPen(QPen(scene.theme.accent, kRing));
    painter.setBrush(Qt::NoBrush);
    for (int track = 0; track < geometry.trackCount(); ++track) {
        const int devices = scene.tracks[static_cast<std::size_t>(track)].lanes->deviceCount();
        if (device == kNoDevice || device >= devices) {
            continue;
        }
        const QRectF chip = geometry.chipRect(track, device);
        if (chip.bottom() < geometry.lanesHeight()) {
            painter.drawRoundedRect(chip.adjusted(-2.5, -2.5, 2.5, 2.5), 4, 4);
        }
    }
}

/// A tag beside the pointer, on the side where there is room.
void paintPointerText(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry,
                      const QString& text, const QPointF& pointer) {
    constexpr double kDistance = 14;
    const QFont font = fontOfSize(12, true);
    const double width = QFontMetricsF(font).horizontalAdvance(text) + 2 * kTagPadding;
    const bool right = pointer.x() + kDistance + width < geometry.width();
    const double top =
        std::clamp(pointer.y() - 28, 2.0, std::max(2.0, geometry.height() - kTagHeight - 2));
    const QRectF rect(right ? pointer.x() + kDistance : pointer.x() - kDistance - width, top, width,
                      kTagHeight + 4);
    painter.setPen(QPen(scene.theme.control, 1));
    painter.setBrush(scene.theme.base);
    painter.drawRoundedRect(rect, 3, 3);
    painter.setPen(scene.theme.text);
    painter.setFont(font);
    painter.drawText(rect, Qt::AlignCenter, text);
}

} // namespace

void GanttOverlay::paint(QPainter& painter, const GanttScene& scene,
                         const GanttGeometry& geometry) const {
    if (scene.tracks.empty()) {
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.setClipRect(QRectF(geometry.lanesLeft() - 4, 0,
                               geometry.width() - geometry.lanesLeft() + 4,
                               geometry.axisRect().top() + 5));
    if (dropTrack >= 0 && dropDevice != kNoDevice) {
        painter.setPen(QPen(scene.theme.accent, 2));
        painter.setBrush(transparent(scene.theme.accent, kRulerShare));
        painter.drawRoundedRect(geometry.deviceRect(dropTrack, dropDevice), 3, 3);
    }
    if (ruler) {
        paintRuler(painter, scene, geometry, *ruler);
    }
    paintSelection(painter, scene, geometry, selected);
    if (hovered != kNoOp && selected.count(hovered) == 0) {
        outlineOp(painter, scene, geometry, hovered, QPen(scene.theme.text, 1.5), 1.5, 3);
    }
    if (hoveredTransfer.isValid()) {
        const GanttTrack& source = scene.tracks[static_cast<std::size_t>(hoveredTransfer.track)];
        painter.setPen(QPen(scene.theme.text, 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(geometry
                             .intervalRect(hoveredTransfer.track,
                                           source.interval(hoveredTransfer.interval),
                                           source.lanes->rowOf(hoveredTransfer.interval))
                             .adjusted(-1, -1, 1, 1));
    }
    if (playHead >= 0) {
        paintPlayHead(painter, scene, geometry, playHead);
    }
    if (!rubberBand.isEmpty()) {
        painter.setPen(QPen(scene.theme.accent, 1));
        painter.setBrush(transparent(scene.theme.accent, kRulerShare));
        painter.drawRect(rubberBand);
    }
    painter.restore();

    paintSelectedChip(painter, scene, geometry, selectedDevice);
    const auto inSight = [&](Time time) {
        const double x = geometry.x(static_cast<double>(time));
        return x >= geometry.lanesLeft() - 1 && x <= geometry.lanesRight() + 1;
    };
    if (ruler && ruler->to > ruler->from && (inSight(ruler->from) || inSight(ruler->to))) {
        const QString text =
            rulerText.isEmpty() ? timeText(ruler->to - ruler->from, scene.unit()) : rulerText;
        paintTag(painter, geometry,
                 (geometry.x(static_cast<double>(ruler->from)) +
                  geometry.x(static_cast<double>(ruler->to))) /
                     2,
                 text, scene.theme.accent, scene.theme.onAccent, scene.theme.base);
    }
    if (playHead >= 0 && inSight(playHead)) {
        paintTag(painter, geometry, geometry.x(static_cast<double>(playHead)),
                 timeText(playHead, scene.unit()), scene.theme.playHead, scene.theme.onPlayHead,
                 scene.theme.base);
    }
    if (!pointerText.isEmpty()) {
        paintPointerText(painter, scene, geometry, pointerText, pointer);
    }
    if (focusFrame) {
        painter.setPen(QPen(scene.theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(1, 1, geometry.width() - 2, geometry.height() - 2));
    }
    painter.restore();
}

} // namespace doppler::views
