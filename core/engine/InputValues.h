#pragma once

#include <cstdint>
#include <vector>

#include "core/workload/Splitter.h"

namespace doppler::engine {

/// Seeded values of a block of an input tensor, last dimension fastest; a complex one takes two.
/// A value depends on seed, tensor and its place in the whole tensor only, so blocks of any
/// partition, on any device, agree. Integers are below their limit; data is even in -1 .. 1;
/// weights are scaled by their fan-in, so that values neither grow nor vanish from layer to layer.
std::vector<double> inputValues(const workload::TensorProgram& program,
                                const workload::BlockInfo& block, std::uint64_t seed);

} // namespace doppler::engine
