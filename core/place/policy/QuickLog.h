#pragma once

#include <bit>
#include <cstdint>

namespace doppler::place {

/// About log2(1 + 100 x) / 8 for x >= 0: near 0 a percent is one step of eight. A parabola between
/// powers of two (2 % off at most), which compilers turn into vector code.
inline float quickLog(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(1 + 100 * x);
    const auto exponent = static_cast<float>(static_cast<std::int32_t>(bits >> 23) - 127);
    const auto mantissa = std::bit_cast<float>((bits & 0x7FFFFFU) | 0x3F800000U);
    return (exponent + (2 - mantissa / 3) * mantissa - 5.0F / 3) / 8;
}

} // namespace doppler::place
