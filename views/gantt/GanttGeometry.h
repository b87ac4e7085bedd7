#pragma once

#include <QRectF>
#include <vector>

#include "views/gantt/LaneModel.h"
#include "views/gantt/PixelSpans.h"

namespace doppler::views {

/// Heights of what a timeline is made of, in pixels.
struct GanttMetrics {
    double top = 6; ///< above the first title
    double title = 28;
    double compute = 20; ///< a compute lane with one slot
    double inner = 1;    ///< between compute and link lane
    double link = 12;    ///< 0: links are hidden
    double caption = 17; ///< above the lanes of a timeline that has captions; it has no links
    double gap = 4;      ///< after each device
    double chip = 18;
    double margin = 12; ///< left of the chips and right of the lanes
    double axis = 26;

    /// Lanes `factor` times as high; titles and axis keep their height.
    GanttMetrics scaled(double factor) const;
};

/// What lies under a point.
struct GanttHit {
    enum class Part { Nothing, Title, Chip, Compute, Link, Axis };
    Part part = Part::Nothing;
    int track = -1;
    DeviceId device = kNoDevice;
    int row = -1;
};

/// Where everything of one or two stacked timelines ("tracks") is: time to x, lanes to y, and
/// back. Knows nothing of painting.
class GanttGeometry {
public:
    /// The whole view, axis included.
    void setSize(double width, double height);
    void setMetrics(const GanttMetrics& metrics);
    const GanttMetrics& metrics() const { return metrics_; }
    /// Width of the widest device chip.
    void setChipWidth(double width) { chipWidth_ = width; }
    /// The lanes of each track; they must live as long as the geometry uses them.
    void setTracks(const std::vector<const LaneModel*>& tracks);
    void setRange(double from, double to);
    /// How far the lanes are scrolled up.
    void setScroll(double scroll) { scroll_ = scroll; }

    double width() const { return width_; }
    double height() const { return height_; }
    double scroll() const { return scroll_; }
    /// Height of all tracks; more than lanesHeight() if they must be scrolled.
    double contentHeight() const;
    double lanesHeight() const { return height_ - metrics_.axis; }
    double maxScroll() const;

    double lanesLeft() const { return 2 * metrics_.margin + chipWidth_ - 2; }
    double lanesRight() const { return width_ - metrics_.margin; }
    double from() const { return from_; }
    double to() const { return to_; }
    TimeMap map() const;
    /// End of a range from 0 that shows `end` and leaves room for its value on the right.
    double fittedEnd(double end) const;
    double x(double time) const { return map().x(time); }
    double time(double pixel) const { return map().time(pixel); }

    int trackCount() const { return static_cast<int>(tracks_.size()); }
    /// First pixel below the last lane of a track.
    double trackBottom(int track) const;
    double trackTop(int track) const;
    QRectF titleRect(int track) const;
    QRectF chipRect(int track, DeviceId device) const;
    QRectF captionRect(int track, DeviceId device) const; ///< empty without captions
    QRectF laneRect(int track, DeviceId device) const;    ///< compute lane, all slots
    QRectF linkRect(int track, DeviceId device) const;    ///< empty if links are hidden
    QRectF computeRow(int track, DeviceId device, int row) const;
    QRectF linkRow(int track, DeviceId device, int row) const;
    /// Compute and link lane.
    QRectF deviceRect(int track, DeviceId device) const;
    QRectF axisRect() const;
    /// The bar of an interval, at least a pixel wide.
    QRectF intervalRect(int track, const sim::Interval& interval, int row) const;

    GanttHit hit(const QPointF& point) const;

private:
    struct Track {
        double top = 0; ///< without scrolling
        std::vector<double> deviceTop;
        std::vector<int> slots;
        std::vector<int> linkRows;
        double bottom = 0;
        double caption = 0;
        double link = 0;
    };
    const Track& at(int track) const { return tracks_[static_cast<std::size_t>(track)]; }
    double computeHeight(int slots) const;
    void layOut();

    GanttMetrics metrics_;
    std::vector<const LaneModel*> models_;
    std::vector<Track> tracks_;
    double width_ = 0;
    double height_ = 0;
    double chipWidth_ = 18;
    double from_ = 0;
    double to_ = 1;
    double scroll_ = 0;
};

} // namespace doppler::views
