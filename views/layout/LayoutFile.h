#pragma once

#include <QString>
#include <memory>

#include "views/layout/GraphLayout.h"

namespace doppler::views {

/// Writes a layout to a cache file, atomically; a failure only costs the cache.
void writeLayoutFile(const QString& path, const GraphLayout& layout);

/// Reads it back; null if there is none, it is damaged, or it has other counts.
std::shared_ptr<const GraphLayout> readLayoutFile(const QString& path, int ops, int edges);

} // namespace doppler::views
