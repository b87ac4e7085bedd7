#pragma once

/// views/render: pictures of a view in a file, without a window. Needs a QGuiApplication (the
/// offscreen platform will do).

#include <QSize>
#include <QString>

#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"
#include "views/canvas/CanvasScene.h"
#include "views/theme/Theme.h"

namespace doppler::views {

/// Draws a graph to `path`, as its ending says: .png, .svg or .pdf. `assignment` and `timeline`
/// may be null; with a timeline the critical chain is marked. `size` in pixels (empty: what the
/// drawing needs at 100 %). Lays the graph out first, which may take seconds for a large graph.
/// False with a message in `error` if the ending is unknown or the file cannot be written.
bool renderGraph(const QString& path, const sim::Problem& problem,
                 const sim::Assignment* assignment, const sim::Timeline* timeline,
                 const Theme& theme, QSize size, QString* error);

/// The same for a scene that is laid out already.
bool renderScene(const QString& path, const CanvasScene& scene, const Theme& theme, QSize size,
                 QString* error);

} // namespace doppler::views
