#include "core/workload/TensorOp.h"

#include <array>

namespace doppler::workload {

namespace {
using graph::OpKind;

constexpr std::array kFacts{
    TensorOpFacts{"input", "in", OpKind::Other},
    TensorOpFacts{"matmul", "mm", OpKind::Contraction},
    TensorOpFacts{"formation", "sum", OpKind::Formation},
    TensorOpFacts{"reduce-sum", "rsum", OpKind::Reduction},
    TensorOpFacts{"reduce-max", "rmax", OpKind::Reduction},
    TensorOpFacts{"add", "add", OpKind::Elementwise},
    TensorOpFacts{"subtract", "sub", OpKind::Elementwise},
    TensorOpFacts{"multiply", "mul", OpKind::Elementwise},
    TensorOpFacts{"div", "div", OpKind::Elementwise},
    TensorOpFacts{"exp", "exp", OpKind::Elementwise},
    TensorOpFacts{"relu", "relu", OpKind::Elementwise},
    TensorOpFacts{"silu", "silu", OpKind::Elementwise},
    TensorOpFacts{"square", "sq", OpKind::Elementwise},
    TensorOpFacts{"rsqrt", "rsqrt", OpKind::Elementwise},
    TensorOpFacts{"scale", "scale", OpKind::Elementwise},
    TensorOpFacts{"scale and add eps", "mean", OpKind::Elementwise},
    TensorOpFacts{"convert", "cast", OpKind::Elementwise},
    TensorOpFacts{"complex from real", "cplx", OpKind::Rotary},
    TensorOpFacts{"real from complex", "real", OpKind::Rotary},
    TensorOpFacts{"rotary multiply", "rot", OpKind::Rotary},
    TensorOpFacts{"fill mask", "mask", OpKind::Fill},
    TensorOpFacts{"select", "sel", OpKind::Select},
    TensorOpFacts{"squeeze", "sqz", OpKind::Reshape},
};
static_assert(kFacts.size() == static_cast<std::size_t>(TensorOp::Squeeze) + 1);
} // namespace

const TensorOpFacts& facts(TensorOp op) {
    return kFacts[static_cast<std::size_t>(op)];
}

} // namespace doppler::workload
