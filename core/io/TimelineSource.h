#pragma once

#include <string>
#include <vector>

namespace doppler::io {

/// What ran a timeline that is written; a file must not make an emulated run look like a real one.
struct TimelineSource {
    std::string runtime; ///< "cpu"; empty: none is named (a simulated timeline)
    bool emulated = false;
    std::vector<std::string> notes; ///< what else is to be known of its times
};

} // namespace doppler::io
