#pragma once

#include <string_view>

#include "core/workload/ProgramWriter.h"

namespace doppler::workload {

// Runs of rows that several programs share.

/// Softmax over the last dimension of `x`: maximum, subtraction, exponential, sum, division. Every
/// row is cut like `partition`; where the last dimension is cut, maximum and sum have partial
/// results.
TensorId softmax(ProgramWriter& w, TensorId x, const Partition& partition);

} // namespace doppler::workload
