#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/engine/Kernels.h"
#include "core/workload/Splitter.h"
#include "tests/support/ReferenceRun.h"

namespace doppler::tests {

/// The blocks of a program on so many cpu devices, in ns.
std::shared_ptr<const sim::Problem> executionProblem(const workload::SplitProgram& split,
                                                     int devices);

/// Elements as the engine reads them, as the reference has them.
Values valuesOf(const std::vector<double>& numbers, graph::DType dtype);

/// The engine's inputs of a seed, whole, rounded to their type.
std::map<workload::TensorId, Values> engineInputs(const workload::TensorProgram& program,
                                                  std::uint64_t seed);

/// Runs a program on two cpu devices, and compares what every op left with the reference, which
/// computes in double precision. Empty: all agree within `limit` (of a tensor's largest value);
/// else the first op that does not, in words.
std::string firstWrongBlock(const std::shared_ptr<const workload::SplitProgram>& split,
                            std::shared_ptr<engine::Kernels> kernels, std::uint64_t seed,
                            double limit);

/// Every workload in f32 and a size that takes milliseconds; some with odd sizes, or trained.
const std::vector<const char*>& smallWorkloads();

/// Rows of a data-driven test, with the column "text": those workloads, and one whose odd sizes
/// make partitions that they do not have.
void addBlockRows();

} // namespace doppler::tests
