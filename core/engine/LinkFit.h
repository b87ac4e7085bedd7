#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/Ids.h"

namespace doppler::engine {

/// How long copies of one size took.
struct CopyTimes {
    std::int64_t bytes = 0;
    std::vector<double> ns; ///< at least one
};

struct LinkFit {
    Time latencyNs = 0;
    double bytesPerSecond = 0;
    int samples = 0;
    double error = 0; ///< median of |fitted / measured - 1| over the sizes
};

/// latency + bytes / bandwidth through the medians of the sizes, least squares of the relative
/// errors (weights 1 / t^2); neither figure negative. `sizes` must not be empty; with one size all
/// of its time counts as bandwidth.
LinkFit fitLink(const std::vector<CopyTimes>& sizes);

} // namespace doppler::engine
