#pragma once

#include <cstdint>

#include "core/graph/Ids.h"

namespace doppler::sim {

/// Seeded log-normal factors of mean 1 for durations. A draw depends on the seed and on what it
/// is for, not on the order of events: two assignments see the same luck.
class Noise {
public:
    /// `variation` is the coefficient of variation; 0: durations stay as they are.
    Noise(double variation, std::uint64_t seed);

    Time opTime(OpId op, Time mean) const;
    /// `edge` stands for the transfer: the edge itself, or the first of those that share it.
    Time transferTime(EdgeId edge, Time mean) const;

private:
    Time draw(std::uint64_t stream, std::int32_t id, Time mean) const;

    double sigma_ = 0;
    std::uint64_t seed_ = 0;
};

/// The next number of a SplitMix64 sequence; `state` moves on.
inline std::uint64_t splitMix(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

/// The seed of a run in a series: that of the series for run 0, else a hash of both, so that series
/// with neighbouring seeds share no run.
inline std::uint64_t seedOfRun(std::uint64_t seed, std::uint64_t run) {
    if (run == 0) {
        return seed;
    }
    std::uint64_t state = seed;
    state = splitMix(state) ^ run;
    return splitMix(state);
}

} // namespace doppler::sim
