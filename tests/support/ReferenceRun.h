#pragma once

#include <map>
#include <vector>

#include "tests/support/ReferenceKernels.h"

namespace doppler::tests {

/// Executes a split program block by block in double precision, each block reading only what the
/// graph's uses give it. Throws std::runtime_error
/// where a block needs what no edge brings, or is brought an element twice.
class ReferenceRun {
public:
    /// `inputs`: the whole tensors of all input rows.
    ReferenceRun(const workload::SplitProgram& split,
                 const std::map<workload::TensorId, Values>& inputs);

    /// What a block of the split program produced.
    const Values& block(std::size_t number) const { return values_[number]; }
    /// A whole tensor, its partial results merged.
    Values whole(workload::TensorId tensor) const;

    /// Seeded values for all inputs of a program: integers below their limit, else -1 .. 1.
    static std::map<workload::TensorId, Values> randomInputs(const workload::TensorProgram& program,
                                                             unsigned seed);

private:
    Operand gather(const workload::BlockInfo& block, std::size_t operand) const;

    const workload::SplitProgram& split_;
    std::vector<Values> values_; // of each block
};

} // namespace doppler::tests
