#pragma once

#include <cstdint>
#include <vector>

#include "core/workload/Splitter.h"

namespace doppler::engine {

/// One producer block's part of an operand.
struct OperandPiece {
    std::int32_t use = 0;     ///< number among graph.uses(op)
    std::int32_t input = -1;  ///< graph input, or -1: the output of an op
    workload::Region source;  ///< what the producer block covers of its tensor
    workload::Region overlap; ///< what of it the operand reads
    bool merges = false;      ///< not the first partial result of what it covers
};

/// An operand of an op, assembled from pieces that follow each other so that the first partial
/// result of every element comes first.
struct OperandPlan {
    workload::TensorId tensor = 0;
    workload::Region region; ///< what the op reads, in the tensor's indices
    std::vector<OperandPiece> pieces;

    /// True if the operand is one producer block as it lies in memory.
    bool isWholeBlock() const { return pieces.size() == 1 && pieces.front().source == region; }
};

/// The operands of an op, in operand order.
std::vector<OperandPlan> operandPlans(const workload::SplitProgram& split, OpId op);

} // namespace doppler::engine
