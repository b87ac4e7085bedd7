#pragma once

#include <vector>

#include "app/cli/bench/BenchRow.h"

namespace doppler::cli {

/// Measures training and rollouts of the learned policy. Takes about ten seconds.
std::vector<BenchRow> benchLearning();

} // namespace doppler::cli
