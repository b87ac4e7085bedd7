#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/place/Placer.h"

namespace doppler::place {

/// The method of core/learn, which needs a trained policy and so is none of placers().
inline constexpr std::string_view kTrainedPlacer = "doppler";

/// All placers, in the order they are shown.
const std::vector<PlacerInfo>& placers();

/// Throws InputError for an unknown name (the message lists the names), and for kTrainedPlacer (it
/// says what takes that); `where` is where the name stands.
std::unique_ptr<Placer> makePlacer(std::string_view name, const std::string& where = "placer");

} // namespace doppler::place
