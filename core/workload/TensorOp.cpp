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
    TensorOpFacts{"log", "log", OpKind::Elementwise},
    TensorOpFacts{"sigmoid", "sigm", OpKind::Elementwise},
    TensorOpFacts{"tanh", "tanh", OpKind::Elementwise},
    TensorOpFacts{"concat", "cat", OpKind::Concat},
    TensorOpFacts{"stack", "stack", OpKind::Concat},
    TensorOpFacts{"take", "take", OpKind::Select},
    TensorOpFacts{"one-hot", "hot", OpKind::Fill},
    TensorOpFacts{"embedding", "emb", OpKind::Embedding},
    TensorOpFacts{"embedding gradient", "demb", OpKind::Embedding},
    TensorOpFacts{"conv2d", "conv", OpKind::Convolution},
    TensorOpFacts{"conv2d input gradient", "dconv", OpKind::Convolution},
    TensorOpFacts{"conv2d filter gradient", "wconv", OpKind::Convolution},
    TensorOpFacts{"max-pool", "pool", OpKind::Pooling},
    TensorOpFacts{"max-pool gradient", "dpool", OpKind::Pooling},
    TensorOpFacts{"average-pool", "pool", OpKind::Pooling},
    TensorOpFacts{"average-pool gradient", "dpool", OpKind::Pooling},
    TensorOpFacts{"relu gradient", "drelu", OpKind::Elementwise},
    TensorOpFacts{"sigmoid gradient", "dsigm", OpKind::Elementwise},
    TensorOpFacts{"tanh gradient", "dtanh", OpKind::Elementwise},
    TensorOpFacts{"silu gradient", "dsilu", OpKind::Elementwise},
    TensorOpFacts{"rsqrt gradient", "drsqrt", OpKind::Elementwise},
    TensorOpFacts{"update", "upd", OpKind::Elementwise},
    TensorOpFacts{"route", "route", OpKind::Routing},
    TensorOpFacts{"route gradient", "droute", OpKind::Routing},
    TensorOpFacts{"dispatch table", "table", OpKind::Routing},
    TensorOpFacts{"dispatch", "disp", OpKind::Routing},
    TensorOpFacts{"undispatch", "comb", OpKind::Routing},
    TensorOpFacts{"gate gradient", "dgate", OpKind::Routing},
};
static_assert(kFacts.size() == static_cast<std::size_t>(TensorOp::GateGradient) + 1);
} // namespace

const TensorOpFacts& facts(TensorOp op) {
    return kFacts[static_cast<std::size_t>(op)];
}

} // namespace doppler::workload
