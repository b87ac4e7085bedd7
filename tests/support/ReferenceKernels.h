#pragma once

#include <complex>
#include <vector>

#include "core/workload/Splitter.h"

namespace doppler::tests {

using Value = std::complex<double>;
using Values = std::vector<Value>; ///< of a region, last dimension fastest
using Index = std::vector<std::int64_t>;

/// Place of `index` among the values of `region`.
std::size_t offset(const workload::Region& region, const Index& index);
bool inside(const workload::Region& region, const Index& index);
workload::Region wholeRegion(const graph::Shape& shape);

/// How partial results merge, and what merges without effect.
Value merge(workload::Combine combine, Value a, Value b);
Value neutral(workload::Combine combine);

/// One operand as a block reads it.
struct Operand {
    workload::Region region;
    Values values;

    /// Throws std::runtime_error for an element outside the region.
    Value at(const Index& index) const;
};

/// What a block produces: the slow and plain meaning of every operator.
Values computeBlock(const workload::TensorProgram& program, const workload::BlockInfo& block,
                    const std::vector<Operand>& operands);

} // namespace doppler::tests
