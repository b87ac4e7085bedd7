#pragma once

#include <cstdint>
#include <string_view>

#include "core/graph/OpKind.h"

namespace doppler::workload {

/// The operator of one row of a tensor program. Letters name the dimensions of the join shape.
enum class TensorOp : std::uint8_t {
    Input,           ///< data or a weight: available everywhere, no op of the graph
    Matmul,          ///< any contraction of two operands: products summed over the missing letters
    Formation,       ///< merges the partial results of its one operand (sum or maximum)
    ReduceSum,       ///< sum over the missing letters
    ReduceMax,       ///< maximum over the missing letters
    Add,             ///< elementwise, operands broadcast by their letters
    Subtract,        ///< first minus second
    Multiply,        ///< elementwise product
    Divide,          ///< first by second
    Exp,             ///< e to the x
    Relu,            ///< max(x, 0)
    Silu,            ///< x / (1 + exp(-x))
    Square,          ///< x x
    Rsqrt,           ///< 1 / sqrt(x)
    Scale,           ///< x * scale
    ScaleAddEps,     ///< x * scale + eps
    Convert,         ///< to the row's element type
    ComplexFromReal, ///< pairs neighbours of the last dimension
    RealFromComplex, ///< undoes ComplexFromReal
    RotaryMultiply,  ///< elementwise product of complex numbers
    FillMask,        ///< 0 on and below the diagonal of the last two dimensions, -inf above
    Select,          ///< the box of the operand that begins at `start`
    Squeeze,         ///< drops the dimensions of size 1 given by `dropped`
};

struct TensorOpFacts {
    std::string_view name;  ///< "matmul": the exact operator
    std::string_view label; ///< "mm": short word of op names
    graph::OpKind kind;
};

const TensorOpFacts& facts(TensorOp op);

} // namespace doppler::workload
