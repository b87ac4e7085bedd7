#pragma once

#include <vector>

#include "app/cli/bench/BenchRow.h"

namespace doppler::cli {

/// What the placer instant reaches: on the published graphs, and on generated problems that its
/// policies have never seen.
std::vector<BenchRow> benchInstant();

} // namespace doppler::cli
