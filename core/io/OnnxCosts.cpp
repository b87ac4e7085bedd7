#include "core/io/OnnxCosts.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/graph/SaturatingMath.h"

namespace doppler::io {

namespace {

using graph::elementCount;
using graph::saturatingAdd;
using graph::saturatingMultiply;
using graph::Shape;

/// FLOPs of an operation, or nothing if a shape it needs is not known.
using Flops = std::optional<std::int64_t>;
using Rule = Flops (*)(const OnnxOperation&);

template <typename... Factors>
std::int64_t product(Factors... factors) {
    std::int64_t result = 1;
    ((result = saturatingMultiply(result, factors)), ...);
    return result;
}

Flops nothing(const OnnxOperation&) {
    return 0;
}

template <int Each>
Flops perOutput(const OnnxOperation& op) {
    const Shape* out = op.outputShape(0);
    return out == nullptr ? Flops() : product(Each, elementCount(*out));
}

template <int Each>
Flops perInput(const OnnxOperation& op) {
    const Shape* in = op.inputShape(0);
    return in == nullptr ? Flops() : product(Each, elementCount(*in));
}

/// Sum, Max, ... of any number of operands.
Flops variadic(const OnnxOperation& op) {
    const Shape* out = op.outputShape(0);
    const auto operands = static_cast<std::int64_t>(op.inputs.size());
    return out == nullptr ? Flops()
                          : product(std::max<std::int64_t>(operands - 1, 0), elementCount(*out));
}

/// C[.., m, n] = A[.., m, k] B[.., k, n].
Flops matMul(const OnnxOperation& op) {
    const Shape* a = op.inputShape(0);
    const Shape* out = op.outputShape(0);
    if (a == nullptr || out == nullptr || a->empty()) {
        return {};
    }
    const bool transposed = op.number("transA", 0) != 0 && a->size() > 1;
    const std::int64_t inner = transposed ? (*a)[a->size() - 2] : a->back();
    return product(2, elementCount(*out), inner);
}

Flops gemm(const OnnxOperation& op) {
    const Shape* out = op.outputShape(0);
    const Flops contraction = matMul(op);
    if (!contraction || out == nullptr) {
        return {};
    }
    const bool bias = op.input(2) != nullptr;
    return saturatingAdd(*contraction, bias ? elementCount(*out) : 0);
}

/// Weights are [out channels, in channels / groups, kernel...]: each result element needs one
/// multiply-add for each weight of its channel.
Flops convolution(const OnnxOperation& op, std::size_t weights, std::size_t bias) {
    const Shape* kernel = op.inputShape(weights);
    const Shape* out = op.outputShape(0);
    if (kernel == nullptr || out == nullptr || kernel->empty()) {
        return {};
    }
    const std::int64_t each = elementCount(Shape(kernel->begin() + 1, kernel->end()));
    const std::int64_t added = op.input(bias) != nullptr ? elementCount(*out) : 0;
    return saturatingAdd(product(2, elementCount(*out), each), added);
}

Flops conv(const OnnxOperation& op) {
    return convolution(op, 1, 2);
}

Flops convInteger(const OnnxOperation& op) {
    return convolution(op, 1, std::size_t(-1));
}

Flops qLinearConv(const OnnxOperation& op) {
    return convolution(op, 3, 8);
}

/// Weights are [in channels, out channels / groups, kernel...]: each operand element goes into
/// that many results.
Flops convTranspose(const OnnxOperation& op) {
    const Shape* in = op.inputShape(0);
    const Shape* kernel = op.inputShape(1);
    if (in == nullptr || kernel == nullptr || kernel->empty()) {
        return {};
    }
    const std::int64_t each = elementCount(Shape(kernel->begin() + 1, kernel->end()));
    const Shape* out = op.outputShape(0);
    const bool bias = op.input(2) != nullptr && out != nullptr;
    return saturatingAdd(product(2, elementCount(*in), each), bias ? elementCount(*out) : 0);
}

Flops qLinearMatMul(const OnnxOperation& op) {
    return matMul(op); // the first operand is where it is in MatMul
}

Flops pooling(const OnnxOperation& op) {
    const Shape* out = op.outputShape(0);
    const auto kernel = op.numbers.find("kernel_shape");
    if (out == nullptr || kernel == op.numbers.end()) {
        return {};
    }
    std::int64_t window = 1;
    for (const std::int64_t size : kernel->second) {
        window = saturatingMultiply(window, std::max<std::int64_t>(size, 0));
    }
    return product(window, elementCount(*out));
}

/// X is [steps, batch, input], W [directions, gates * hidden, input], R [directions,
/// gates * hidden, hidden].
Flops recurrent(const OnnxOperation& op) {
    const Shape* x = op.inputShape(0);
    const Shape* w = op.inputShape(1);
    const Shape* r = op.inputShape(2);
    constexpr std::size_t kRank = 3;
    if (x == nullptr || w == nullptr || r == nullptr || x->size() != kRank || w->size() != kRank ||
        r->size() != kRank) {
        return {};
    }
    const std::int64_t steps = product((*x)[0], (*x)[1]);
    const std::int64_t gates = product((*w)[0], (*w)[1]); // of both directions
    const std::int64_t contraction = product(2, gates, saturatingAdd((*w)[2], (*r)[2]));
    constexpr std::int64_t kPerGate = 3; // bias, activation, update of the state
    return saturatingMultiply(steps, saturatingAdd(contraction, product(kPerGate, gates)));
}

/// Multiply-adds over the join of all dimensions that the equation names.
Flops einsum(const OnnxOperation& op) {
    const auto words = op.words.find("equation");
    if (words == op.words.end() || words->second.find("...") != std::string::npos) {
        return {};
    }
    std::map<char, std::int64_t> sizes;
    std::size_t operand = 0;
    std::size_t dimension = 0;
    for (const char letter : words->second.substr(0, words->second.find("->"))) {
        if (letter == ' ') {
            continue;
        }
        if (letter == ',') {
            ++operand;
            dimension = 0;
            continue;
        }
        const Shape* in = op.inputShape(operand);
        if (in == nullptr || dimension >= in->size()) {
            return {};
        }
        sizes[letter] = (*in)[dimension++];
    }
    std::int64_t join = op.inputs.size() > 1 ? 2 : 1;
    for (const auto& [letter, size] : sizes) {
        join = saturatingMultiply(join, size);
    }
    return join;
}

/// Projections to query, key and value in one, then both contractions with the sequence and the
/// softmax between them. Operands: x [batch, seq, hidden], weights [hidden, 3 * out], bias, mask,
/// past [2, batch, heads, seq before, out / heads].
Flops fusedAttention(const OnnxOperation& op) {
    const Shape* x = op.inputShape(0);
    const Shape* weights = op.inputShape(1);
    if (x == nullptr || weights == nullptr || x->size() != 3 || weights->size() != 2) {
        return {};
    }
    const Shape* past = op.inputShape(4);
    const std::int64_t before = past != nullptr && past->size() == 5 ? (*past)[3] : 0;
    const std::int64_t rows = product((*x)[0], (*x)[1]);
    const std::int64_t total = saturatingAdd((*x)[1], before);
    const std::int64_t out = (*weights)[1] / 3;
    const std::int64_t projection = product(2, rows, (*x)[2], (*weights)[1]);
    return saturatingAdd(projection, product(4, rows, total, out));
}

/// Operands query [batch, seq, hidden] and key [batch, seq, hidden] (or with heads as a dimension
/// of their own).
Flops attentionOfThree(const OnnxOperation& op) {
    const Shape* query = op.inputShape(0);
    const Shape* key = op.inputShape(1);
    if (query == nullptr || key == nullptr || query->size() < 3 || key->size() != query->size()) {
        return {};
    }
    return product(4, elementCount(*query), (*key)[key->size() - 2]);
}

struct CostRule {
    std::string_view names; // separated by blanks
    Rule flops;
};

/// FLOPs by operator; what each rule counts stands above it.
constexpr CostRule kRules[] = {
    // Contractions.
    {"MatMul MatMulInteger FusedMatMul", matMul},
    {"QLinearMatMul", qLinearMatMul},
    {"Gemm", gemm},
    {"Conv FusedConv", conv},
    {"ConvInteger", convInteger},
    {"QLinearConv", qLinearConv},
    {"ConvTranspose", convTranspose},
    {"LSTM GRU RNN", recurrent},
    {"Einsum", einsum},
    // Windows.
    {"MaxPool AveragePool LpPool", pooling},
    {"GlobalAveragePool GlobalMaxPool GlobalLpPool", perInput<1>},
    // One operation for each element of the result.
    {"Add Sub Mul Div Pow Mod BitShift And Or Xor Not Equal Greater Less GreaterOrEqual "
     "LessOrEqual BitwiseAnd BitwiseOr BitwiseXor BitwiseNot Where PRelu Relu LeakyRelu "
     "ThresholdedRelu Abs Neg Sign Ceil Floor Round Reciprocal Sqrt Exp Log Sin Cos Tan Asin Acos "
     "Atan Sinh Cosh Tanh Asinh Acosh Atanh Erf Clip Sigmoid IsNaN IsInf Cast CastLike",
     perOutput<1>},
    // A few operations for each element.
    {"Elu Selu Celu HardSigmoid Softsign Softplus Shrink", perOutput<3>},
    {"HardSwish Swish Mish QuickGelu", perOutput<4>},
    {"Gelu FastGelu BiasGelu", perOutput<8>},
    {"QuantizeLinear DequantizeLinear DynamicQuantizeLinear", perOutput<3>},
    {"Sum Max Min Mean", variadic},
    // Maximum, difference, exponential, sum, quotient.
    {"Softmax LogSoftmax Hardmax", perOutput<5>},
    // Scale and shift only: mean and variance of the training are folded in.
    {"BatchNormalization", perOutput<2>},
    // Mean, difference, square, variance, quotient, scale, shift.
    {"LayerNormalization InstanceNormalization GroupNormalization MeanVarianceNormalization",
     perOutput<8>},
    {"SkipLayerNormalization EmbedLayerNormalization", perOutput<9>},
    {"SimplifiedLayerNormalization RMSNormalization LpNormalization", perOutput<5>},
    {"SkipSimplifiedLayerNormalization", perOutput<6>},
    {"LRN", perOutput<8>},
    {"RotaryEmbedding", perOutput<3>},
    // One operation for each element of the operand.
    {"ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ArgMax ArgMin CumSum TopK",
     perInput<1>},
    {"ReduceL2 ReduceSumSquare ReduceLogSum", perInput<2>},
    {"ReduceLogSumExp", perInput<3>},
    // Interpolation between the corners.
    {"Resize Upsample", perOutput<4>},
    {"Attention", fusedAttention},
    {"MultiHeadAttention GroupQueryAttention", attentionOfThree},
    // Moves or names data, computes nothing.
    {"Reshape Flatten Squeeze Unsqueeze Identity Transpose Expand Tile Shape Size Constant "
     "ConstantOfShape Range EyeLike Gather GatherND GatherElements Scatter ScatterND "
     "ScatterElements Slice Split Concat Pad DepthToSpace SpaceToDepth Dropout OneHot Compress "
     "NonZero Unique Trilu ReverseSequence RandomNormal RandomUniform RandomNormalLike "
     "RandomUniformLike Bernoulli SequenceConstruct SequenceAt SequenceEmpty SequenceInsert "
     "SequenceErase SequenceLength SplitToSequence ConcatFromSequence Optional "
     "OptionalGetElement OptionalHasElement",
     nothing},
};

/// Only another name for the same bytes in memory.
constexpr std::string_view kViews[] = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity"};
/// Reads no more of the first operand than it returns.
constexpr std::string_view kPickers[] = {"Gather", "GatherND", "GatherElements", "Slice",
                                         "Compress"};
/// Looks at the shape, not at the data.
constexpr std::string_view kShapeOnly[] = {"Shape", "Size"};

template <std::size_t N>
bool isAmong(const std::string_view (&names)[N], std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::unordered_map<std::string_view, Rule> rulesByName() {
    std::unordered_map<std::string_view, Rule> rules;
    for (const CostRule& rule : kRules) {
        std::string_view left = rule.names;
        while (!left.empty()) {
            const std::size_t end = std::min(left.find(' '), left.size());
            if (end > 0) {
                rules.emplace(left.substr(0, end), rule.flops);
            }
            left.remove_prefix(std::min(end + 1, left.size()));
        }
    }
    return rules;
}

Rule ruleFor(const OnnxOperation& operation) {
    static const std::unordered_map<std::string_view, Rule> kByName = rulesByName();
    if (operation.domain != "" && operation.domain != "com.microsoft") {
        return nullptr; // the name may mean anything
    }
    if (operation.opType == "Attention" && operation.domain.empty()) {
        return attentionOfThree;
    }
    const auto found = kByName.find(operation.opType);
    return found == kByName.end() ? nullptr : found->second;
}

std::int64_t resultBytes(const OnnxOperation& operation) {
    std::int64_t bytes = 0;
    for (const OnnxValue* value : operation.outputs) {
        bytes = saturatingAdd(bytes, value == nullptr ? 0 : onnxBytes(*value));
    }
    return bytes;
}

std::int64_t bytesTouched(const OnnxOperation& operation) {
    if (isAmong(kViews, operation.opType)) {
        return 0;
    }
    std::int64_t bytes = resultBytes(operation);
    if (isAmong(kShapeOnly, operation.opType)) {
        return bytes;
    }
    const bool picks = isAmong(kPickers, operation.opType);
    for (std::size_t i = 0; i < operation.inputs.size(); ++i) {
        const OnnxValue* value = operation.inputs[i];
        const auto* begin = operation.inputs.data();
        const bool again = value == nullptr || std::find(begin, begin + i, value) != begin + i;
        if (!again) {
            const std::int64_t own = onnxBytes(*value);
            bytes =
                saturatingAdd(bytes, picks && i == 0 ? std::min(own, resultBytes(operation)) : own);
        }
    }
    return bytes;
}

bool isGuess(const std::vector<const OnnxValue*>& values) {
    return std::any_of(values.begin(), values.end(),
                       [](const OnnxValue* value) { return value != nullptr && value->assumed; });
}

} // namespace

bool hasOnnxCostRule(const OnnxOperation& operation) {
    return ruleFor(operation) != nullptr;
}

OnnxCost onnxCost(const OnnxOperation& operation) {
    const Rule rule = ruleFor(operation);
    OnnxCost cost;
    const Flops flops = rule != nullptr ? rule(operation) : std::nullopt;
    const Flops guess = flops ? flops : perOutput<1>(operation);
    cost.flops = guess.value_or(0);
    cost.unknown = !guess;
    cost.bytesTouched = bytesTouched(operation);
    cost.estimated = !flops || isGuess(operation.inputs) || isGuess(operation.outputs);
    return cost;
}

} // namespace doppler::io
