#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/DType.h"
#include "core/workload/TensorOp.h"

namespace doppler::workload {

/// Row number of a tensor in its program.
using TensorId = std::int32_t;

/// Ways to cut each dimension of the join shape.
using Partition = std::vector<std::int64_t>;

/// How partial results of a split sum or maximum merge.
enum class Combine : std::uint8_t { Sum, Max };

/// Constants of an operator; which ones count is said at TensorOp.
struct OpParameters {
    Combine combine = Combine::Sum;
    double scale = 1;
    double eps = 0;
    graph::Shape start;       ///< Select: first index per dimension of the operand
    std::vector<int> dropped; ///< Squeeze: dimensions of the operand
    int axis = 0;             ///< Concat, Stack, Take
    // Convolutions and pools, along h and along w.
    std::array<std::int64_t, 2> window{1, 1};
    std::array<std::int64_t, 2> stride{1, 1};
    std::array<std::int64_t, 2> padding{0, 0};
    std::int64_t top = 0;   ///< RouteTop
    std::int64_t limit = 0; ///< inputs of integers: all are 0 .. limit - 1
};

/// One whole tensor and the operation that makes it: a row of the program's table.
struct Tensor {
    TensorOp op = TensorOp::Input;
    /// What it is: "C (D E), partial sums".
    std::string role;
    /// Module that it belongs to, "/" between levels: "layer 3/attention norm".
    std::string group;
    /// "ac,cb->ab": letter k of the alphabet is dimension k of the join shape; operands in order.
    /// Empty for operators whose operands are read by a rule of their own (see OperandMap.h).
    std::string indices;
    /// The join shape: the output's dimensions, then those summed (or maximised) over.
    graph::Shape fullShape;
    int outputRank = 0;
    Partition partition; ///< of the join shape
    graph::DType dtype = graph::DType::F32;
    std::vector<TensorId> operands;
    OpParameters parameters;
    graph::OpKind kind = graph::OpKind::Other;
    /// Work of one element of the join shape, over that of its kind (multiply-add of contractions
    /// and convolutions, one operation of others): the gradient of a strided convolution skips
    /// some.
    double workPerElement = 1;
    bool weight = false; ///< of inputs: learned, not data
    bool result = false; ///< leaves the graph

    graph::Shape outputShape() const;
    /// "matmul", "convert f16", ...: the exact operator.
    std::string opName() const;
    /// Blocks that it is cut into.
    std::int64_t blockCount() const;
    /// Blocks along the dimensions summed over: partial results per output block.
    std::int64_t partialCount() const;
    /// True if its work counts as multiply-adds.
    bool multiplies() const;
    /// FLOPs of that many elements of the join shape.
    std::int64_t flops(std::int64_t joinElements) const;
};

/// A computation on whole tensors, in an order in which every operand comes before its users. Made
/// by ProgramWriter; cut into a graph of blocks by split().
struct TensorProgram {
    std::string name;
    std::vector<Tensor> tensors;
    /// True: the graph also carries the costs that the DOPPLER paper's graphs have.
    bool publishedCosts = false;

    const Tensor& at(TensorId id) const { return tensors[static_cast<std::size_t>(id)]; }

    /// Multiply-adds of all contractions and convolutions.
    std::int64_t multiplyAdds() const;
};

} // namespace doppler::workload
