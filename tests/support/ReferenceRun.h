#pragma once

#include <complex>
#include <map>
#include <vector>

#include "core/workload/Splitter.h"

namespace doppler::tests {

/// Executes a split program block by block in double precision, each block reading only what the
/// graph's uses give it: the slow and plain meaning of every operator. Throws std::runtime_error
/// where a block needs what no edge brings, or is brought an element twice.
class ReferenceRun {
public:
    using Value = std::complex<double>;
    using Values = std::vector<Value>; ///< of a region, last dimension fastest

    /// `inputs`: the whole tensors of all input rows.
    ReferenceRun(const workload::SplitProgram& split,
                 const std::map<workload::TensorId, Values>& inputs);

    /// A whole tensor, its partial results merged.
    Values whole(workload::TensorId tensor) const;

    /// Seeded values for all inputs of a program: integers below their limit, else -1 .. 1.
    static std::map<workload::TensorId, Values> randomInputs(const workload::TensorProgram& program,
                                                             unsigned seed);

private:
    /// One operand as a block reads it.
    struct Operand {
        workload::Region region;
        Values values;

        Value at(const std::vector<std::int64_t>& index) const;
        bool has(const std::vector<std::int64_t>& index) const;
    };

    Operand gather(const workload::BlockInfo& block, std::size_t operand) const;
    Values compute(const workload::BlockInfo& block, const std::vector<Operand>& operands) const;
    Values computeByLetters(const workload::Tensor& tensor, const workload::BlockInfo& block,
                            const std::vector<Operand>& operands) const;
    Values computeByRule(const workload::Tensor& tensor, const workload::BlockInfo& block,
                         const std::vector<Operand>& operands) const;

    const workload::SplitProgram& split_;
    std::vector<Values> values_; // of each block
};

} // namespace doppler::tests
