#pragma once

#include <vector>

#include "app/cli/bench/BenchRow.h"

namespace doppler::cli {

/// Measures the simulator: cost per (op + edge) on the published graphs, growth to 1,000,000 ops,
/// all single-op moves. Takes about ten seconds, most of it to build the large graph.
std::vector<BenchRow> benchSimulator();

} // namespace doppler::cli
