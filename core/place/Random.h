#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/sim/Noise.h"

namespace doppler::place {

/// A small, quick generator whose numbers are the same on every platform (SplitMix64, Steele et
/// al. 2014).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() { return sim::splitMix(state_); }

    /// 0 <= result < count; count is at least 1.
    std::uint32_t below(std::uint32_t count) {
        return static_cast<std::uint32_t>(
            (std::uint64_t{static_cast<std::uint32_t>(next() >> 32)} * count) >> 32);
    }
    std::uint32_t below(std::size_t count) { return below(static_cast<std::uint32_t>(count)); }
    std::uint32_t below(int count) { return below(static_cast<std::uint32_t>(count)); }

    /// 0 <= result < 1.
    double uniform() {
        constexpr double kStep = 0x1.0p-53;
        return static_cast<double>(next() >> 11) * kStep;
    }

    /// Standard normal (Box and Muller 1958).
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

private:
    std::uint64_t state_;
};

} // namespace doppler::place
