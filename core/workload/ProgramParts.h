#pragma once

#include "core/workload/Backward.h"
#include "core/workload/ProgramWriter.h"

namespace doppler::workload {

// Runs of rows that several programs share.

/// Softmax over the last dimension of `x`: maximum, subtraction, exponential, sum, division. Every
/// row is cut like `partition`; where the last dimension is cut, maximum and sum have partial
/// results.
TensorId softmax(ProgramWriter& w, TensorId x, const Partition& partition = {});

/// Mean over the rows of -log softmax(logits)[label], not cut: the loss (a scalar), and the
/// gradient of `logits` to start the backward pass from.
struct CrossEntropy {
    TensorId loss;
    Seed seed;
};
CrossEntropy crossEntropy(ProgramWriter& w, TensorId logits, TensorId labels);

/// Sum of scalars, as a result of the program.
void resultSum(ProgramWriter& w, std::string role, const std::vector<TensorId>& scalars);

} // namespace doppler::workload
