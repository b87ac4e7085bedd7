#include "views/gantt/GanttGeometry.h"

#include <algorithm>

namespace doppler::views {

namespace {

// Slots of one device share its lane; it grows, but not to full height for each.
constexpr double kSlotShare = 0.6;
constexpr double kLinkRowGap = 1;
constexpr double kValueWidth = 78;       // right of the makespan
constexpr double kBeyond = 16;           // bars are cut that far outside the view
constexpr double kTallestLinkRow = 0.45; // of the link lane

std::size_t index(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

GanttMetrics GanttMetrics::scaled(double factor) const {
    GanttMetrics result = *this;
    result.compute *= factor;
    result.link *= factor;
    result.gap *= std::min(factor, 2.0);
    result.inner *= std::min(factor, 1.0);
    result.chip = std::clamp(result.compute, 8.0, chip);
    return result;
}

void GanttGeometry::setSize(double width, double height) {
    width_ = width;
    height_ = height;
}

void GanttGeometry::setMetrics(const GanttMetrics& metrics) {
    metrics_ = metrics;
    layOut();
}

void GanttGeometry::setTracks(const std::vector<const LaneModel*>& tracks) {
    models_ = tracks;
    layOut();
}

double GanttGeometry::computeHeight(int slots) const {
    return slots == 1 ? metrics_.compute : metrics_.compute * kSlotShare * slots;
}

void GanttGeometry::layOut() {
    tracks_.clear();
    double y = metrics_.top;
    for (const LaneModel* model : models_) {
        Track track;
        track.top = y;
        track.caption = model->hasCaptions() ? metrics_.caption : 0;
        track.link = model->hasCaptions() ? 0 : metrics_.link;
        y += metrics_.title;
        for (DeviceId device = 0; device < model->deviceCount(); ++device) {
            const DeviceLane& lane = model->device(device);
            y += track.caption;
            track.deviceTop.push_back(y);
            track.slots.push_back(static_cast<int>(lane.compute.size()));
            track.linkRows.push_back(static_cast<int>(lane.links.size()));
            y += computeHeight(track.slots.back()) + metrics_.gap;
            y += track.link > 0 ? metrics_.inner + track.link : 0;
        }
        track.bottom = y - metrics_.gap;
        tracks_.push_back(std::move(track));
    }
}

void GanttGeometry::setRange(double from, double to) {
    from_ = from;
    to_ = std::max(to, from + 1);
}

double GanttGeometry::contentHeight() const {
    return tracks_.empty() ? 0 : tracks_.back().bottom + metrics_.gap;
}

double GanttGeometry::maxScroll() const {
    return std::max(0.0, contentHeight() - lanesHeight());
}

TimeMap GanttGeometry::map() const {
    TimeMap map;
    map.from = from_;
    map.left = lanesLeft();
    map.right = std::max(lanesRight(), map.left + 1);
    map.perPixel = (to_ - from_) / (map.right - map.left);
    return map;
}

double GanttGeometry::fittedEnd(double end) const {
    const double lanes = std::max(lanesRight() - lanesLeft(), 1.0);
    const double used = std::max(lanes - kValueWidth + metrics_.margin, lanes / 2);
    return std::max(1.0, end * lanes / used);
}

double GanttGeometry::trackTop(int track) const {
    return at(track).top - scroll_;
}

double GanttGeometry::trackBottom(int track) const {
    return at(track).bottom - scroll_;
}

QRectF GanttGeometry::titleRect(int track) const {
    return {metrics_.margin, trackTop(track), std::max(0.0, lanesRight() - metrics_.margin),
            metrics_.title};
}

QRectF GanttGeometry::laneRect(int track, DeviceId device) const {
    return {lanesLeft(), at(track).deviceTop[index(device)] - scroll_,
            std::max(0.0, lanesRight() - lanesLeft()),
            computeHeight(at(track).slots[index(device)])};
}

QRectF GanttGeometry::captionRect(int track, DeviceId device) const {
    const QRectF lane = laneRect(track, device);
    return {lane.left(), lane.top() - at(track).caption, lane.width(), at(track).caption};
}

QRectF GanttGeometry::chipRect(int track, DeviceId device) const {
    const QRectF lane = laneRect(track, device);
    const double height = std::min(metrics_.chip, lane.height());
    return {metrics_.margin, lane.top() + (std::min(lane.height(), metrics_.compute) - height) / 2,
            chipWidth_, height};
}

QRectF GanttGeometry::linkRect(int track, DeviceId device) const {
    const QRectF lane = laneRect(track, device);
    if (at(track).link <= 0) {
        return {lane.left(), lane.bottom(), lane.width(), 0};
    }
    return {lane.left(), lane.bottom() + metrics_.inner, lane.width(), at(track).link};
}

QRectF GanttGeometry::computeRow(int track, DeviceId device, int row) const {
    const QRectF lane = laneRect(track, device);
    const int slots = at(track).slots[index(device)];
    if (slots == 1) {
        return lane;
    }
    const double height = lane.height() / slots;
    return {lane.left(), lane.top() + row * height, lane.width(), height - 1};
}

QRectF GanttGeometry::linkRow(int track, DeviceId device, int row) const {
    const QRectF lane = linkRect(track, device);
    const int rows = std::max(1, at(track).linkRows[index(device)]);
    const double share = (lane.height() - kLinkRowGap) / rows;
    const double height =
        std::max(1.0, std::min(share - kLinkRowGap, lane.height() * kTallestLinkRow));
    return {lane.left(), lane.top() + kLinkRowGap + row * (height + kLinkRowGap), lane.width(),
            height};
}

QRectF GanttGeometry::deviceRect(int track, DeviceId device) const {
    return laneRect(track, device).united(linkRect(track, device));
}

QRectF GanttGeometry::axisRect() const {
    // Right below the lanes, or at the lower edge when they are scrolled.
    const double top = std::min(contentHeight(), lanesHeight());
    return {lanesLeft(), top, std::max(0.0, lanesRight() - lanesLeft()), metrics_.axis};
}

QRectF GanttGeometry::intervalRect(int track, const sim::Interval& interval, int row) const {
    const QRectF lane = interval.isTransfer() ? linkRow(track, interval.device, row)
                                              : computeRow(track, interval.device, row);
    const auto inReach = [this](double pixel) {
        return std::clamp(pixel, lanesLeft() - kBeyond, lanesRight() + kBeyond);
    };
    const double left = inReach(x(static_cast<double>(interval.start)));
    const double right = inReach(x(static_cast<double>(interval.end)));
    return {left, lane.top(), std::max(right - left, 1.0), lane.height()};
}

GanttHit GanttGeometry::hit(const QPointF& point) const {
    using Part = GanttHit::Part;
    if (point.x() < 0 || point.x() >= width_ || point.y() < 0 || point.y() >= height_) {
        return {};
    }
    if (point.y() >= axisRect().top()) {
        return {point.y() < axisRect().bottom() ? Part::Axis : Part::Nothing, -1, kNoDevice, -1};
    }
    for (int track = 0; track < trackCount(); ++track) {
        if (point.y() < trackTop(track) || point.y() > trackBottom(track) + metrics_.gap) {
            continue;
        }
        if (titleRect(track).bottom() > point.y()) {
            return {Part::Title, track, kNoDevice, -1};
        }
        for (DeviceId device = 0; device < static_cast<DeviceId>(at(track).deviceTop.size());
             ++device) {
            const QRectF lane = laneRect(track, device);
            const QRectF link = linkRect(track, device);
            if (point.y() >= link.bottom() + metrics_.gap) {
                continue;
            }
            if (point.x() < lanesLeft() || point.y() < lane.top()) {
                return {Part::Chip, track, device, -1};
            }
            if (point.y() < lane.bottom() + metrics_.inner) {
                const int slots = at(track).slots[index(device)];
                const int row = static_cast<int>((point.y() - lane.top()) * slots / lane.height());
                return {Part::Compute, track, device, std::clamp(row, 0, slots - 1)};
            }
            int row = 0;
            while (row + 1 < at(track).linkRows[index(device)] &&
                   point.y() >= linkRow(track, device, row).bottom() + kLinkRowGap / 2) {
                ++row;
            }
            return {Part::Link, track, device, row};
        }
    }
    return {};
}

} // namespace doppler::views
