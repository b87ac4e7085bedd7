#pragma once

#include <QString>

#include "views/canvas/CanvasScene.h"
#include "views/theme/Theme.h"

namespace doppler::views {

/// A group as rich text for a hover card: its path, size, how its ops are spread over the devices,
/// and what goes in and out.
QString groupCard(const CanvasScene& scene, std::int32_t group, const Theme& theme);

} // namespace doppler::views
