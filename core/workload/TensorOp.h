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
    Log,             ///< natural logarithm
    Sigmoid,         ///< 1 / (1 + exp(-x))
    Tanh,
    Concat,            ///< operands one after the other along dimension `axis`
    Stack,             ///< operands become a new dimension `axis`; undoes Take
    Take,              ///< index start[0] of dimension `axis`, which is dropped
    OneHot,            ///< 1 where the last index equals the integer of the operand, else 0
    Embedding,         ///< rows of a table (first operand) by integers (second)
    EmbeddingGradient, ///< integers, gradients of the rows: their sums, as a table
    Conv2d,            ///< images (n, c, h, w) and filters (k, c, r, s); join (n, k, p, q, c, r, s)
    ConvInputGradient, ///< gradient of the result, filters; join (n, c, h, w, k, r, s)
    ConvFilterGradient, ///< images, gradient of the result; join (k, c, r, s, n, p, q)
    MaxPool,            ///< maximum of each window; join (n, c, p, q, r, s); edges do not count
    MaxPoolGradient,    ///< images, result, its gradient: to the first maximum of each window
    AvgPool,            ///< sum of each window over its size; beyond the edges are zeros
    AvgPoolGradient,    ///< gradient of the result, spread evenly over each window
    ReluGradient,       ///< result, its gradient: the gradient where the result is positive
    SigmoidGradient,    ///< result y, its gradient: gradient * y (1 - y)
    TanhGradient,       ///< result y, its gradient: gradient * (1 - y y)
    SiluGradient,       ///< operand of silu, gradient of the result
    RsqrtGradient,      ///< result y, its gradient: gradient * -y y y / 2
    Update,             ///< weight, gradient: weight - scale * gradient
    RouteTop,           ///< rows: the `top` largest over their sum, else 0
    RouteGradient,      ///< operand and result of RouteTop, gradient of the result
    DispatchTable, ///< gates (token, expert): per expert the tokens with a gate, in order; -1: none
    Dispatch,      ///< rows (token, h), a table (expert, slot): the row of each slot, else 0; with
                   ///< gates as third operand, times the slot's gate
    Undispatch,    ///< (expert, slot, h), a table: per token the sum of its slots; with gates as
                   ///< third operand, times the slot's gate
    GateGradient,  ///< (expert, slot, h), a table, gradient (token, h) of Undispatch's result
};

struct TensorOpFacts {
    std::string_view name;  ///< "matmul": the exact operator
    std::string_view label; ///< "mm": short word of op names
    graph::OpKind kind;
};

const TensorOpFacts& facts(TensorOp op);

} // namespace doppler::workload
