#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/place/Placer.h"

namespace doppler::place {

/// All placers, in the order they are shown.
const std::vector<PlacerInfo>& placers();

/// Throws InputError for an unknown name (the message lists the names).
std::unique_ptr<Placer> makePlacer(std::string_view name);

} // namespace doppler::place
