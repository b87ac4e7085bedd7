#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/DType.h"

namespace doppler::engine {

/// Elements of any type in host memory, as doubles; a complex one counts as two.
std::vector<double> readElements(graph::DType dtype, const void* data, std::int64_t count);

/// Writes doubles as elements of a type, rounded to nearest. `values` holds 2 `count` of them for
/// complex ones.
void writeElements(graph::DType dtype, void* data, const double* values, std::int64_t count);

} // namespace doppler::engine
