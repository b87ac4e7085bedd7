#include "views/render/RenderGantt.h"

#include <QObject>
#include <algorithm>

#include "views/gantt/GanttPainter.h"
#include "views/render/PictureFile.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

// Lanes of this share of their usual height can still be read; taller ones look empty.
constexpr double kLowestLanes = 0.2;
constexpr double kTallestLanes = 3.5;
constexpr int kSmallestSide = 80;

template <typename T>
std::shared_ptr<const T> borrowed(const T& value) {
    return {std::shared_ptr<const void>(), &value};
}

/// Lane heights with which all tracks fill `height`.
GanttMetrics metricsFor(GanttGeometry& geometry) {
    const GanttMetrics usual;
    const auto contentHeight = [&](double factor) {
        geometry.setMetrics(usual.scaled(factor));
        return geometry.contentHeight();
    };
    double low = kLowestLanes;
    double high = kTallestLanes;
    for (int step = 0; step < 20; ++step) {
        const double middle = (low + high) / 2;
        (contentHeight(middle) <= geometry.lanesHeight() ? low : high) = middle;
    }
    return usual.scaled(low);
}

/// Draws the scene's one timeline.
bool renderScene(const QString& path, GanttScene& scene, const Theme& theme, QSize size,
                 QString* error) {
    if (size.width() < kSmallestSide || size.height() < kSmallestSide) {
        if (error != nullptr) {
            *error = QObject::tr("%1: a picture of %2 x %3 pixels is too small, expected at least "
                                 "%4 x %4")
                         .arg(path)
                         .arg(size.width())
                         .arg(size.height())
                         .arg(kSmallestSide);
        }
        return false;
    }
    scene.setTheme(theme);
    const GanttTrack& track = scene.tracks.front();
    GanttGeometry geometry;
    geometry.setSize(size.width(), size.height());
    geometry.setTracks({track.lanes.get()});
    const GanttMetrics metrics = metricsFor(geometry);
    double chip = metrics.chip;
    for (const DeviceStyle& style : scene.devices) {
        chip = std::max(chip, chipWidth(style, metrics.chip));
    }
    geometry.setMetrics(metrics);
    geometry.setChipWidth(chip);
    geometry.setRange(0, geometry.fittedEnd(static_cast<double>(scene.end())));
    return writePicture(
        path, size, QString::fromStdString(track.problem->graph->name()),
        [&](QPainter& painter) { paintGantt(painter, scene, geometry); }, error);
}

} // namespace

bool renderGantt(const QString& path, const sim::Problem& problem, const sim::Assignment&,
                 const sim::Timeline& timeline, const sim::Report& report, Time bound,
                 const Theme& theme, QSize size, QString* error) {
    GanttScene scene;
    GanttTrack track;
    track.problem = borrowed(problem);
    track.timeline = borrowed(timeline);
    track.report = borrowed(report);
    track.lanes = std::make_shared<const LaneModel>(timeline);
    track.name = QObject::tr("%1 on %2")
                     .arg(QString::fromStdString(problem.graph->name()),
                          QString::fromStdString(problem.cluster->name()));
    track.description = simulationText(problem.options);
    scene.tracks.push_back(std::move(track));
    scene.bound = bound;
    return renderScene(path, scene, theme, size, error);
}

bool renderTrace(const QString& path, const GanttTrack& track, const Theme& theme, QSize size,
                 QString* error) {
    constexpr int kWidth = 1600;
    constexpr int kTallest = 12'000;
    if (size.isEmpty()) {
        GanttGeometry geometry;
        geometry.setTracks({track.lanes.get()});
        const double height = geometry.contentHeight() + geometry.metrics().axis;
        size = QSize(kWidth, std::clamp(qRound(height), kSmallestSide, kTallest));
    }
    GanttScene scene;
    scene.tracks.push_back(track);
    scene.links = false;
    return renderScene(path, scene, theme, size, error);
}

} // namespace doppler::views
