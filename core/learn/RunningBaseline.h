#pragma once

#include <cstdint>
#include <span>

#include "core/sim/Problem.h"

namespace doppler::learn {

/// What makespans of a policy are compared with: their running mean, and their running spread.
struct RunningBaseline {
    static constexpr std::int64_t kSettled = 50; ///< episodes

    double mean = 0;
    double square = 0; ///< mean of the squares
    std::int64_t episodes = 0;

    /// An update's episodes. Their mean counts with `share`; of the first 1 / share updates all
    /// count alike: a baseline that leans on one early episode calls the next ones all good or all
    /// bad, and the policy would learn to do, or not to do, whatever it does.
    void add(std::span<const Time> makespans, double share);

    /// Enough has been seen for differences from the mean to tell good from bad.
    bool settled() const;

    /// Standard deviation.
    double spread() const;
};

} // namespace doppler::learn
