#pragma once

#include <QString>

#include "views/canvas/CanvasScene.h"
#include "views/theme/Theme.h"

namespace doppler::views {

/// One op in a line, for assistive technology: "mm 28, contraction, device B, 132.6 to 145.8 ms,
/// critical".
QString spokenOp(const CanvasScene& scene, OpId op, bool critical);

/// The same and more as rich text for a hover card: a bold title and a few short lines.
QString opCard(const CanvasScene& scene, OpId op, bool critical, const Theme& theme);

} // namespace doppler::views
