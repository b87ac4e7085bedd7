#pragma once

#include <QString>
#include <vector>

#include "views/canvas/CanvasScene.h"

namespace doppler::views {

/// A number per op for the modes with a scale.
struct NodeValues {
    std::vector<double> byOp; ///< 0..1; empty: nothing to show
    QString title;            ///< "Cost"
    QString lowText;          ///< what 0 means, e.g. "1.0 ms"
    QString highText;
    QString emptyText; ///< why there is nothing to show
};

/// For Cost, Slack, Criticality and MoveGain; much is always what asks for attention (little
/// slack counts as much).
NodeValues nodeValues(const CanvasScene& scene);

/// By op: length of the longest path through it under the assignment (transfers between devices
/// included) over that of the whole graph, 0..1.
std::vector<double> criticality(const CanvasScene& scene);

} // namespace doppler::views
