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

} // namespace

bool renderGantt(const QString& path, const sim::Problem& problem, const sim::Assignment&,
                 const sim::Timeline& timeline, const sim::Report& report, Time bound,
                 const Theme& theme, QSize size, QString* error) {
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
    scene.setTheme(theme);

    GanttGeometry geometry;
    geometry.setSize(size.width(), size.height());
    geometry.setTracks({scene.tracks.front().lanes.get()});
    const GanttMetrics metrics = metricsFor(geometry);
    double chip = metrics.chip;
    for (const DeviceStyle& style : scene.devices) {
        chip = std::max(chip, chipWidth(style, metrics.chip));
    }
    geometry.setMetrics(metrics);
    geometry.setChipWidth(chip);
    geometry.setRange(0, geometry.fittedEnd(static_cast<double>(scene.end())));

    return writePicture(
        path, size, QString::fromStdString(problem.graph->name()),
        [&](QPainter& painter) { paintGantt(painter, scene, geometry); }, error);
}

} // namespace doppler::views
