#pragma once

#include <string>
#include <vector>

#include "core/place/Registry.h"

namespace doppler::cli {

/// Names of all placers, in the order they are shown.
inline std::vector<std::string> placerNames() {
    std::vector<std::string> names;
    for (const place::PlacerInfo& info : place::placers()) {
        names.push_back(info.name);
    }
    return names;
}

} // namespace doppler::cli
