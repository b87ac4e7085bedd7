#include "views/render/RenderGraph.h"

#include <cmath>

#include "views/canvas/GraphPainter.h"
#include "views/canvas/LegendPainter.h"
#include "views/layout/LayoutLibrary.h"
#include "views/render/PictureFile.h"

namespace doppler::views {

namespace {

constexpr double kMargin = 20;
constexpr int kMinSide = 160;
constexpr int kMaxSide = 5'000; // of the size that is chosen for the user

QSize naturalSize(const CanvasScene& scene, const QSizeF& legend) {
    const QSizeF drawing = scene.layout->bounds.size();
    const double shrink =
        std::min(1.0, kMaxSide / std::max({drawing.width(), drawing.height(), 1.0}));
    return {std::max(kMinSide, static_cast<int>(std::ceil(drawing.width() * shrink +
                                                          legend.width() + 3 * kMargin))),
            std::max({kMinSide, static_cast<int>(std::ceil(legend.height() + 2 * kMargin)),
                      static_cast<int>(std::ceil(drawing.height() * shrink + 2 * kMargin))})};
}

} // namespace

bool renderScene(const QString& path, const CanvasScene& scene, const Theme& theme, QSize size,
                 QString* error) {
    const NodePalette palette = makePalette(scene, theme);
    const CriticalParts critical = criticalParts(scene);
    const LegendPainter legend(scene, palette, critical, theme);
    if (size.isEmpty()) {
        size = scene.isEmpty() ? QSize(kMinSide, kMinSide) : naturalSize(scene, legend.size());
    }
    const auto paint = [&](QPainter& painter) {
        painter.fillRect(QRect(QPoint(), size), theme.canvas);
        if (scene.isEmpty()) {
            return;
        }
        // The legend stands beside the drawing, never on it.
        const bool withLegend = legend.size().width() < size.width() / 3.0 &&
                                legend.size().height() + 2 * kMargin < size.height();
        const double left = withLegend ? 2 * kMargin + legend.size().width() : kMargin;
        const QRectF room(left, kMargin, size.width() - left - kMargin,
                          size.height() - 2 * kMargin);
        const CanvasTransform transform =
            CanvasTransform::fitting(scene.layout->bounds, room, CanvasGeometry::kMaxZoom);
        GraphPainter(scene, palette, critical, theme)
            .paint(painter, transform, QRectF(QPointF(), QSizeF(size)));
        if (withLegend) {
            legend.paint(painter, QPointF(kMargin, kMargin));
        }
    };
    return writePicture(path, size, QString::fromStdString(scene.problem->graph->name()), paint,
                        error);
}

bool renderGraph(const QString& path, const sim::Problem& problem,
                 const sim::Assignment* assignment, const sim::Timeline* timeline,
                 const Theme& theme, QSize size, QString* error) {
    if (!isPicturePath(path, error)) {
        return false;
    }
    CanvasScene scene;
    scene.problem = std::make_shared<const sim::Problem>(problem);
    scene.layout = LayoutLibrary().best(*problem.graph).layout;
    if (assignment) {
        scene.assignment = std::make_shared<const sim::Assignment>(*assignment);
    }
    if (assignment && timeline) {
        scene.timeline = std::make_shared<const sim::Timeline>(*timeline);
        scene.report =
            std::make_shared<const sim::Report>(sim::makeReport(problem, *assignment, *timeline));
    }
    return renderScene(path, scene, theme, size, error);
}

} // namespace doppler::views
