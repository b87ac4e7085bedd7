#pragma once

#include <vector>

#include "app/cli/bench/BenchRow.h"

namespace doppler::cli {

/// Overhead of the executor on the cpu runtime, and what a second device gains.
std::vector<BenchRow> benchEngine();

} // namespace doppler::cli
