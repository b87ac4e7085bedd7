#pragma once

#include <QKeyEvent>

#include "views/canvas/CanvasGeometry.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// The keys that act on ops: 1..9 assign, P pins, arrows and W step through the timeline (without
/// one, through the graph). False if the key means nothing here.
bool handleOpKey(const QKeyEvent& event, Workspace& workspace, const CanvasGeometry& geometry);

} // namespace doppler::views
