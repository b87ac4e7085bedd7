#include "core/cost/FormatQuantity.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace doppler::cost {

namespace {

struct Prefix {
    double factor;
    std::string_view unit;
};

std::string print(const char* format, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

/// Four significant digits of a number below 1000, trailing zeros kept: 13.17, 125.0.
std::string fourDigits(double value) {
    const double size = std::fabs(value);
    return print(size < 10 ? "%.3f" : size < 100 ? "%.2f" : "%.1f", value);
}

/// `value` in the largest unit of which it holds at least one; `units` ascend from factor 1.
template <std::size_t N>
std::string scaled(std::int64_t value, const std::array<Prefix, N>& units) {
    const auto size = std::fabs(static_cast<double>(value));
    std::size_t best = 0;
    // 999.96 would print as 1000.0: it belongs to the next unit.
    while (best + 1 < N && size >= units[best + 1].factor * 0.99995) {
        ++best;
    }
    const std::string number = best == 0
                                   ? std::to_string(value)
                                   : fourDigits(static_cast<double>(value) / units[best].factor);
    return number + " " + std::string(units[best].unit);
}

constexpr std::array<Prefix, 4> kTimes = {{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
constexpr std::array<Prefix, 5> kBytes = {
    {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}};
constexpr std::array<Prefix, 7> kFlops = {{{1, "FLOP"},
                                           {1e3, "kFLOP"},
                                           {1e6, "MFLOP"},
                                           {1e9, "GFLOP"},
                                           {1e12, "TFLOP"},
                                           {1e15, "PFLOP"},
                                           {1e18, "EFLOP"}}};

/// Published units up to this many are printed in full.
constexpr Time kLargestPlainUnits = 999'999;

} // namespace

std::string formatTime(Time time, TimeUnit unit) {
    if (unit == TimeUnit::Nanoseconds) {
        return scaled(time, kTimes);
    }
    if (std::abs(time) <= kLargestPlainUnits) {
        return std::to_string(time) + " units";
    }
    const auto value = static_cast<double>(time);
    const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(value))));
    return print("%.4f", value / std::pow(10.0, exponent)) + "e" + std::to_string(exponent) +
           " units";
}

std::string formatBytes(std::int64_t bytes) {
    return scaled(bytes, kBytes);
}

std::string formatFlops(std::int64_t flops) {
    return scaled(flops, kFlops);
}

std::string formatPercent(double ratio) {
    return print("%.1f", ratio * 100) + " %";
}

std::string formatSeconds(double seconds) {
    if (seconds < 0.01) {
        return print("%.2f", seconds * 1000) + " ms";
    }
    if (seconds < 120) {
        return print(seconds < 10 ? "%.3f" : "%.1f", seconds) + " s";
    }
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    constexpr std::int64_t kHour = 3600;
    constexpr std::int64_t kDay = 24 * kHour;
    if (whole < 2 * kHour) {
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    }
    if (whole < 2 * kDay) {
        return std::to_string(whole / kHour) + " h " + std::to_string(whole % kHour / 60) + " min";
    }
    return std::to_string(whole / kDay) + " d " + std::to_string(whole % kDay / kHour) + " h";
}

std::string formatCount(std::int64_t count) {
    std::string digits = std::to_string(count);
    const std::size_t first = count < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

} // namespace doppler::cost
