#pragma once

#include <vector>

#include "core/workload/ProgramWriter.h"

namespace doppler::workload {

/// A tensor and the gradient of the loss by it, where backward() starts.
struct Seed {
    TensorId tensor;
    TensorId gradient;
};

/// Adds the backward pass of everything written so far: reverse accumulation from the seeds, op by
/// op, nothing cut. Every weight that is reached gets an Update row (weight - rate * gradient),
/// marked as a result. Gradient rows of "layer 3/norm" belong to "layer 3 backward/norm", the
/// updates of its weights to "layer 3 backward/norm/update".
///
/// ReduceMax passes no gradient: it stands in softmaxes only, where its share is zero. An operator
/// without a rule, or a gradient that only broadcasts where a whole one is needed, is a mistake of
/// the program's author (std::logic_error).
void backward(ProgramWriter& w, const std::vector<Seed>& seeds, double learningRate);

} // namespace doppler::workload
