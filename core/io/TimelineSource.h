#pragma once

#include <string>

namespace doppler::io {

/// What ran a timeline that is written; a file must not make an emulated run look like a real one.
struct TimelineSource {
    std::string runtime; ///< "cpu"; empty: none is named (a simulated timeline)
    bool emulated = false;
};

} // namespace doppler::io
