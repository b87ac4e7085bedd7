#pragma once

#include <vector>

#include "app/cli/bench/BenchRow.h"

namespace doppler::cli {

/// Measures the timelines offscreen: repainting more than 100,000 intervals that are all in view,
/// and an edit of a graph of 400 ops until its new timelines are on the screen.
std::vector<BenchRow> benchGantt();

} // namespace doppler::cli
