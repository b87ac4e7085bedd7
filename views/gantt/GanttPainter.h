#pragma once

#include <QPainter>
#include <vector>

#include "views/gantt/GanttGeometry.h"
#include "views/gantt/GanttTrack.h"

namespace doppler::views {

/// Paints one timeline: title, chips, lanes, bars, transfers, critical chain, makespan and bound.
/// What changes with the pointer is painted elsewhere (GanttOverlay).
class GanttPainter {
public:
    GanttPainter(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry,
                 int track);

    void paint();

private:
    void paintTitle();
    QString titleName() const;
    double titleNameRight() const;
    /// Where the word over the bound stands; empty where it does not.
    QRectF boundWordRect() const;
    void paintDevice(DeviceId device);
    void paintBars(DeviceId device);
    void paintLabel(const QRectF& bar, OpId op, const DeviceStyle& style);
    void paintTransfers(DeviceId device);
    void paintTransfer(const QRectF& bar, const LaneSpan& span, const DeviceStyle& style);
    void paintGrid();
    void paintMarks();
    void paintMakespan();

    bool isVisible(const QRectF& rect) const;

    QPainter& painter_;
    const GanttScene& scene_;
    const GanttGeometry& geometry_;
    const int index_;
    const GanttTrack& track_;
    QFont labelFont_;
    double digitWidth_;
    double baseline_; ///< from the centre of a line of text down to its baseline
    std::vector<PixelSpan> spans_;
};

/// Ink outlines around the intervals of the critical chain, and lines from lane to lane.
void paintCriticalChain(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry,
                        int track);

/// Everything but the overlay: background, all timelines, axis.
void paintGantt(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry);

/// Line, ticks and numbers of the common time axis.
void paintTimeAxis(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry);

/// How many steps between ticks suit a geometry.
int tickCount(const GanttGeometry& geometry);

} // namespace doppler::views
