#pragma once

// Only for the files of this folder that include LibTorch.
#include <vector>

// The operators of tensors by themselves, without the declarations of all functions.
#define AT_PER_OPERATOR_HEADERS
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include "core/workload/Splitter.h"

namespace doppler::engine {

/// An operand as a block reads it: f32, whole numbers or complex numbers.
struct BlockOperand {
    at::Tensor values;
    workload::Region region; ///< in the operand's indices
};

/// LibTorch's element type; 16-bit floats are only stored, and computed as f32.
at::ScalarType storedType(graph::DType dtype);
at::ScalarType computedType(graph::DType dtype);

/// Computes a block into `out`, of the block's shape and the computed type.
void computeBlock(const workload::TensorProgram& program, const workload::BlockInfo& block,
                  const std::vector<BlockOperand>& operands, at::Tensor& out);

/// The operators whose operands are read by letters, and the others.
void computeByLetters(const workload::TensorProgram& program, const workload::BlockInfo& block,
                      const std::vector<BlockOperand>& operands, at::Tensor& out);
void computeByRule(const workload::TensorProgram& program, const workload::BlockInfo& block,
                   const std::vector<BlockOperand>& operands, at::Tensor& out);
/// Of the latter: convolutions and pools, and the routing of experts.
void computeWindows(const workload::TensorProgram& program, const workload::BlockInfo& block,
                    const std::vector<BlockOperand>& operands, at::Tensor& out);
void computeRouting(const workload::TensorProgram& program, const workload::BlockInfo& block,
                    const std::vector<BlockOperand>& operands, at::Tensor& out);

} // namespace doppler::engine
