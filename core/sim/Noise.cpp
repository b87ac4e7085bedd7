#include "core/sim/Noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace doppler::sim {

namespace {

constexpr std::uint64_t kOpStream = 1;
constexpr std::uint64_t kTransferStream = 2;
// Keeps a sum of many drawn times within 64 bits.
constexpr double kLargestTime = 4e15;

/// In (0, 1]: never 0, so that its logarithm exists.
double unit(std::uint64_t bits) {
    return (static_cast<double>(bits >> 11) + 1) * 0x1p-53;
}

} // namespace

Noise::Noise(double variation, std::uint64_t seed)
    : sigma_(std::sqrt(std::log1p(variation * variation))), seed_(seed) {}

Time Noise::opTime(OpId op, Time mean) const {
    return draw(kOpStream, op, mean);
}

Time Noise::transferTime(EdgeId edge, Time mean) const {
    return draw(kTransferStream, edge, mean);
}

Time Noise::draw(std::uint64_t stream, std::int32_t id, Time mean) const {
    if (sigma_ <= 0) {
        return mean;
    }
    std::uint64_t state = seed_;
    state = splitMix(state) ^ (stream << 32 | static_cast<std::uint32_t>(id));
    const double radius = std::sqrt(-2 * std::log(unit(splitMix(state))));
    const double normal = radius * std::cos(2 * std::numbers::pi * unit(splitMix(state)));
    const double factor = std::exp(sigma_ * normal - sigma_ * sigma_ / 2);
    return std::llround(std::min(static_cast<double>(mean) * factor, kLargestTime));
}

} // namespace doppler::sim
