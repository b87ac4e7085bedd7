#pragma once

#include <vector>

#include "core/graph/Ids.h"

namespace doppler::cli {

/// Figures of repeated runs of one placement.
struct RunStatistics {
    double mean = 0;
    double sd = 0; ///< of a sample; 0 with one run
    Time least = 0;
    Time median = 0;
    Time p95 = 0; ///< nearest rank
    Time most = 0;
};

/// `makespans` must not be empty.
RunStatistics runStatistics(std::vector<Time> makespans);

} // namespace doppler::cli
