#pragma once

#include <vector>

#include "app/cli/bench/BenchRow.h"

namespace doppler::cli {

/// Measures the graph canvas offscreen: repainting 10,000 ops that are all in view, and opening
/// such a graph until its first picture; the same for 100,000 ops without a target.
std::vector<BenchRow> benchCanvas();

} // namespace doppler::cli
