#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/workload/Backward.h"
#include "core/workload/ProgramWriter.h"

namespace doppler::workload {

// Runs of rows that several programs share.

/// Softmax over the last dimension of `x`: maximum, subtraction, exponential, sum, division. Every
/// row is cut like `partition`; where the last dimension is cut, maximum and sum have partial
/// results.
TensorId softmax(ProgramWriter& w, TensorId x, const Partition& partition = {});

/// x weight + bias, with `columns` outputs.
struct Linear {
    TensorId weight;
    TensorId bias;
};
Linear linear(ProgramWriter& w, const std::string& name, std::int64_t rows, std::int64_t columns);
TensorId applyLinear(ProgramWriter& w, const std::string& role, TensorId x, const Linear& layer);

/// Root-mean-square norm: the first `rowRank` dimensions of `x` number the rows, `weight` has the
/// others. Statistics in f32, cut like `statistics`; the output, times weight, like `output`.
TensorId rmsNorm(ProgramWriter& w, TensorId x, TensorId weight, int rowRank,
                 const Partition& statistics, const Partition& output);

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
