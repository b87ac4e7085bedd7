#pragma once

// What the host asks of a GPU's kernels. Plain types: nvcc sees little, and tests run the same
// tasks without a GPU.
#include <cstdint>

namespace doppler::engine::cuda {

constexpr int kMostDimensions = 8;
constexpr int kMostOperands = 8;

/// How an element lies in memory. Everything is computed as f32 (or pairs of them), whole numbers
/// too: those of the workloads are exact in it.
enum class Element { F16, BF16, F32, F64, C64, I32, I64 };

/// A box of elements that moves from one strided place to another. Strides count elements.
struct StridedCopy {
    int rank = 0;
    std::int64_t sizes[kMostDimensions] = {};
    std::int64_t fromStrides[kMostDimensions] = {};
    std::int64_t toStrides[kMostDimensions] = {};
    Element fromElement = Element::F32;
    Element toElement = Element::F32;
    enum class Merge { Set, Add, Max } merge = Merge::Set;
};

/// Row-major c (batch, rows, columns) = a (batch, rows, inner) b (batch, inner, columns); all of
/// one type (f16, bf16 or f32), sums in f32.
struct MatrixProduct {
    Element element = Element::F32;
    std::int64_t batch = 1;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t inner = 1;
};

/// Operators of elements, as in workload::TensorOp.
enum class Elementwise {
    Copy,
    Multiply,
    Add,
    Subtract,
    Divide,
    Exp,
    Log,
    Relu,
    Sigmoid,
    Tanh,
    Silu,
    Square,
    Rsqrt,
    Scale,
    ReluGradient,
    SigmoidGradient,
    TanhGradient,
    SiluGradient,
    RsqrtGradient,
    Update,
};

/// One operand of a join: where element 0 of the block lies, and how far apart neighbours are
/// along each dimension of the join (0: it does not have that dimension).
struct JoinOperand {
    const void* data = nullptr;
    std::int64_t strides[kMostDimensions] = {};
};

/// An elementwise operator over a join shape, summed or maximised over the dimensions behind the
/// output's.
struct Join {
    Elementwise op = Elementwise::Copy;
    bool isComplex = false;
    bool maximum = false;
    int rank = 0;
    int outputRank = 0;
    std::int64_t sizes[kMostDimensions] = {};
    int operandCount = 0;
    JoinOperand operands[kMostOperands];
    float scale = 1;
    float eps = 0;
};

/// Operators that read by rules of their own, as in workload::TensorOp.
enum class Rule {
    FillMask,
    OneHot,
    Embedding,
    EmbeddingGradient,
    Conv2d,
    ConvInputGradient,
    ConvFilterGradient,
    MaxPool,
    MaxPoolGradient,
    AvgPool,
    AvgPoolGradient,
    RouteTop,
    RouteGradient,
    DispatchTable,
    Dispatch,
    Undispatch,
    GateGradient,
};

/// A box of a tensor of f32, in the tensor's indices.
struct Box {
    const float* data = nullptr;
    int rank = 0;
    std::int64_t begin[kMostDimensions] = {};
    std::int64_t end[kMostDimensions] = {};
    std::int64_t whole[kMostDimensions] = {}; ///< sizes of the tensor
};

struct RuleTask {
    Rule rule = Rule::FillMask;
    Box join; ///< without data: what the block covers of the join shape
    int outputRank = 0;
    int operandCount = 0;
    Box operands[kMostOperands];
    std::int64_t window[2] = {1, 1};
    std::int64_t stride[2] = {1, 1};
    std::int64_t padding[2] = {0, 0};
    std::int64_t top = 0;
};

} // namespace doppler::engine::cuda
