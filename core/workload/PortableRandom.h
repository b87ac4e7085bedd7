#pragma once

#include <cstdint>
#include <random>

namespace doppler::workload {

/// Random numbers that are the same on every platform for a seed: the standard fixes the
/// generator's bits, but not its distributions.
class PortableRandom {
public:
    explicit PortableRandom(std::uint64_t seed) : generator_(seed) {}

    /// Uniform in 0 .. count - 1.
    std::int64_t below(std::int64_t count) {
        // 32 random bits times a count below 2^31 cannot overflow; the bias is below 2^-32 * count.
        const std::uint64_t bits = generator_() >> 32;
        return static_cast<std::int64_t>((bits * static_cast<std::uint64_t>(count)) >> 32);
    }
    /// Uniform in low .. high.
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + below(high - low + 1);
    }
    /// True with that probability.
    bool chance(double probability) { return real() < probability; }
    /// Uniform in [0, 1).
    double real() { return static_cast<double>(generator_() >> 11) * 0x1.0p-53; }

private:
    std::mt19937_64 generator_;
};

} // namespace doppler::workload
