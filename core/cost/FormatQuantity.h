#pragma once

#include <cstdint>
#include <string>

#include "core/cost/CostTable.h"
#include "core/graph/Ids.h"

namespace doppler::cost {

/// A time as people read it, four significant digits: "179.2 ms", "13.17 µs",
/// "950 ns", "1.2001e13 units", "84 units".
std::string formatTime(Time time, TimeUnit unit);

/// "3.100 GB", "50.00 MB", "512 B": decimal prefixes.
std::string formatBytes(std::int64_t bytes);

/// "125.0 GFLOP", "0 FLOP".
std::string formatFlops(std::int64_t flops);

/// A ratio in percent with one decimal: 0.12 -> "12.0 %".
std::string formatPercent(double ratio);

/// Seconds of a clock: "0.40 ms", "0.012 s", "9.98 s", "2 min 5 s".
std::string formatSeconds(double seconds);

/// A whole number in groups of three, separated by commas: "1,000,000".
std::string formatCount(std::int64_t count);

} // namespace doppler::cost
