#pragma once

// What the kernels compute for one element. Compiled by nvcc for the GPU, and by tests for the
// host.
#include <cmath>
#include <cstdint>

#include "core/engine/cuda/GpuTasks.h"

#ifdef __CUDACC__
#define DOPPLER_DEVICE __device__ inline
#else
#define DOPPLER_DEVICE inline
#endif

namespace doppler::engine::cuda {

/// A complex number; a real one has nothing in `y`.
struct alignas(8) Pair {
    float x;
    float y;
};

/// Where element `i` of a copy comes from and goes to.
DOPPLER_DEVICE void copyOffsets(const StridedCopy& copy, std::int64_t i, std::int64_t& source,
                                std::int64_t& target) {
    source = target = 0;
    for (int d = copy.rank; d-- > 0;) {
        const std::int64_t index = i % copy.sizes[d];
        i /= copy.sizes[d];
        source += index * copy.fromStrides[d];
        target += index * copy.toStrides[d];
    }
}

DOPPLER_DEVICE Pair merged(StridedCopy::Merge merge, Pair before, Pair value) {
    switch (merge) {
    case StridedCopy::Merge::Set:
        break;
    case StridedCopy::Merge::Add:
        return {before.x + value.x, before.y + value.y};
    case StridedCopy::Merge::Max:
        return {fmaxf(before.x, value.x), 0};
    }
    return value;
}

DOPPLER_DEVICE float sigmoid(float x) {
    return 1 / (1 + expf(-x));
}

DOPPLER_DEVICE float apply(const Join& join, const float* x) {
    const float a = x[0];
    switch (join.op) {
    case Elementwise::Copy:
        return a;
    case Elementwise::Multiply:
        return a * x[1];
    case Elementwise::Add: {
        float sum = a;
        for (int k = 1; k < join.operandCount; ++k) {
            sum += x[k];
        }
        return sum;
    }
    case Elementwise::Subtract:
        return a - x[1];
    case Elementwise::Divide:
        return a / x[1];
    case Elementwise::Exp:
        return expf(a);
    case Elementwise::Log:
        return logf(a);
    case Elementwise::Relu:
        return fmaxf(a, 0);
    case Elementwise::Sigmoid:
        return sigmoid(a);
    case Elementwise::Tanh:
        return tanhf(a);
    case Elementwise::Silu:
        return a * sigmoid(a);
    case Elementwise::Square:
        return a * a;
    case Elementwise::Rsqrt:
        return 1 / sqrtf(a);
    case Elementwise::Scale:
        return a * join.scale + join.eps;
    case Elementwise::ReluGradient:
        return a > 0 ? x[1] : 0;
    case Elementwise::SigmoidGradient:
        return x[1] * a * (1 - a);
    case Elementwise::TanhGradient:
        return x[1] * (1 - a * a);
    case Elementwise::SiluGradient:
        return x[1] * sigmoid(a) * (1 + a * (1 - sigmoid(a)));
    case Elementwise::RsqrtGradient:
        return x[1] * -a * a * a / 2;
    case Elementwise::Update:
        return a - join.scale * x[1];
    }
    return 0;
}

DOPPLER_DEVICE Pair applyComplex(const Join& join, const Pair* x) {
    if (join.op == Elementwise::Multiply) {
        return {x[0].x * x[1].x - x[0].y * x[1].y, x[0].x * x[1].y + x[0].y * x[1].x};
    }
    Pair value = x[0];
    for (int k = 1; k < join.operandCount; ++k) {
        const float sign = join.op == Elementwise::Subtract ? -1 : 1;
        value = {value.x + sign * x[k].x, value.y + sign * x[k].y};
    }
    return value;
}

/// Adds to `offsets` those of element `i` of the dimensions [first, last).
DOPPLER_DEVICE void addOffsets(const Join& join, std::int64_t i, int first, int last,
                               std::int64_t* offsets) {
    for (int d = last; d-- > first;) {
        const std::int64_t index = i % join.sizes[d];
        i /= join.sizes[d];
        for (int k = 0; k < join.operandCount; ++k) {
            offsets[k] += index * join.operands[k].strides[d];
        }
    }
}

DOPPLER_DEVICE float valueAt(const Join& join, const std::int64_t* offsets) {
    float x[kMostOperands] = {};
    for (int k = 0; k < join.operandCount; ++k) {
        x[k] = static_cast<const float*>(join.operands[k].data)[offsets[k]];
    }
    return apply(join, x);
}

/// Element `i` of a join that reduces nothing.
DOPPLER_DEVICE float joinElement(const Join& join, std::int64_t i) {
    std::int64_t offsets[kMostOperands] = {};
    addOffsets(join, i, 0, join.outputRank, offsets);
    return valueAt(join, offsets);
}

DOPPLER_DEVICE Pair complexJoinElement(const Join& join, std::int64_t i) {
    std::int64_t offsets[kMostOperands] = {};
    addOffsets(join, i, 0, join.outputRank, offsets);
    Pair x[kMostOperands] = {};
    for (int k = 0; k < join.operandCount; ++k) {
        x[k] = static_cast<const Pair*>(join.operands[k].data)[offsets[k]];
    }
    return applyComplex(join, x);
}

DOPPLER_DEVICE float reduceTwo(const Join& join, float a, float b) {
    return join.maximum ? fmaxf(a, b) : a + b;
}

/// Of element `i` of the result: what the elements first, first + step, ... that are reduced to it
/// come to.
DOPPLER_DEVICE float reducedElements(const Join& join, std::int64_t i, std::int64_t reduced,
                                     std::int64_t first, std::int64_t step) {
    std::int64_t base[kMostOperands] = {};
    addOffsets(join, i, 0, join.outputRank, base);
    float value = join.maximum ? -INFINITY : 0;
    for (std::int64_t r = first; r < reduced; r += step) {
        std::int64_t offsets[kMostOperands];
        for (int k = 0; k < join.operandCount; ++k) {
            offsets[k] = base[k];
        }
        addOffsets(join, r, join.outputRank, join.rank, offsets);
        value = reduceTwo(join, value, valueAt(join, offsets));
    }
    return value;
}

DOPPLER_DEVICE bool inside(const Box& box, int d, std::int64_t index) {
    return index >= box.begin[d] && index < box.end[d];
}

/// Element at indices of the whole tensor.
template <class... Index>
DOPPLER_DEVICE float at(const Box& box, Index... indices) {
    const std::int64_t list[] = {static_cast<std::int64_t>(indices)...};
    std::int64_t offset = 0;
    for (int d = 0; d < static_cast<int>(sizeof...(Index)); ++d) {
        offset = offset * (box.end[d] - box.begin[d]) + list[d] - box.begin[d];
    }
    return box.data[offset];
}

/// Rows or columns of images that element `r` of window `q` lies on.
DOPPLER_DEVICE std::int64_t imageOf(const RuleTask& t, int d, std::int64_t q, std::int64_t r) {
    return q * t.stride[d] + r - t.padding[d];
}

/// The window whose element `r` lies on image row `h`, or -1.
DOPPLER_DEVICE std::int64_t windowOf(const RuleTask& t, int d, std::int64_t h, std::int64_t r,
                                     std::int64_t count) {
    const std::int64_t top = h + t.padding[d] - r;
    return top >= 0 && top % t.stride[d] == 0 && top / t.stride[d] < count ? top / t.stride[d] : -1;
}

DOPPLER_DEVICE float convolve(const RuleTask& t, const std::int64_t* i) {
    const Box& x = t.operands[0];
    const Box& y = t.operands[1];
    const Box& j = t.join;
    float sum = 0;
    // The three summed dimensions of the join, last ones inside.
    for (std::int64_t a = j.begin[4]; a < j.end[4]; ++a) {
        for (std::int64_t b = j.begin[5]; b < j.end[5]; ++b) {
            for (std::int64_t c = j.begin[6]; c < j.end[6]; ++c) {
                if (t.rule == Rule::Conv2d) { // (n, k, p, q | c, r, s)
                    const std::int64_t row = imageOf(t, 0, i[2], b);
                    const std::int64_t column = imageOf(t, 1, i[3], c);
                    if (inside(x, 2, row) && inside(x, 3, column)) {
                        sum += at(x, i[0], a, row, column) * at(y, i[1], a, b, c);
                    }
                } else if (t.rule == Rule::ConvInputGradient) { // (n, c, h, w | k, r, s)
                    const std::int64_t row = windowOf(t, 0, i[2], b, x.whole[2]);
                    const std::int64_t column = windowOf(t, 1, i[3], c, x.whole[3]);
                    if (row >= 0 && column >= 0) {
                        sum += at(x, i[0], a, row, column) * at(y, a, i[1], b, c);
                    }
                } else { // (k, c, r, s | n, p, q)
                    const std::int64_t row = imageOf(t, 0, b, i[2]);
                    const std::int64_t column = imageOf(t, 1, c, i[3]);
                    if (inside(x, 2, row) && inside(x, 3, column)) {
                        sum += at(x, a, i[1], row, column) * at(y, a, i[0], b, c);
                    }
                }
            }
        }
    }
    return sum;
}

DOPPLER_DEVICE float pool(const RuleTask& t, const std::int64_t* i) {
    const Box& x = t.operands[0];
    const bool maximum = t.rule == Rule::MaxPool;
    float value = maximum ? -INFINITY : 0;
    for (std::int64_t r = t.join.begin[4]; r < t.join.end[4]; ++r) {
        for (std::int64_t s = t.join.begin[5]; s < t.join.end[5]; ++s) {
            const std::int64_t row = imageOf(t, 0, i[2], r);
            const std::int64_t column = imageOf(t, 1, i[3], s);
            if (inside(x, 2, row) && inside(x, 3, column)) {
                const float element = at(x, i[0], i[1], row, column);
                value = maximum ? fmaxf(value, element) : value + element;
            }
        }
    }
    return maximum ? value : value / static_cast<float>(t.window[0] * t.window[1]);
}

/// True if image element (h, w) is the first of the window (p, q) that equals its maximum.
DOPPLER_DEVICE bool isFirstMaximum(const RuleTask& t, const std::int64_t* i, std::int64_t p,
                                   std::int64_t q) {
    const Box& x = t.operands[0];
    const float maximum = at(t.operands[1], i[0], i[1], p, q);
    for (std::int64_t r = 0; r < t.window[0]; ++r) {
        for (std::int64_t s = 0; s < t.window[1]; ++s) {
            const std::int64_t row = imageOf(t, 0, p, r);
            const std::int64_t column = imageOf(t, 1, q, s);
            if (inside(x, 2, row) && inside(x, 3, column) &&
                at(x, i[0], i[1], row, column) == maximum) {
                return row == i[2] && column == i[3];
            }
        }
    }
    return false;
}

DOPPLER_DEVICE float poolGradient(const RuleTask& t, const std::int64_t* i) {
    const bool maximum = t.rule == Rule::MaxPoolGradient;
    const Box& gradient = t.operands[maximum ? 2 : 0];
    float sum = 0;
    for (std::int64_t r = 0; r < t.window[0]; ++r) {
        for (std::int64_t s = 0; s < t.window[1]; ++s) {
            const std::int64_t p = windowOf(t, 0, i[2], r, gradient.whole[2]);
            const std::int64_t q = windowOf(t, 1, i[3], s, gradient.whole[3]);
            if (p < 0 || q < 0 || (maximum && !isFirstMaximum(t, i, p, q))) {
                continue;
            }
            sum += at(gradient, i[0], i[1], p, q);
        }
    }
    return maximum ? sum : sum / static_cast<float>(t.window[0] * t.window[1]);
}

DOPPLER_DEVICE float route(const RuleTask& t, const std::int64_t* i) {
    const Box& x = t.operands[0];
    const float own = at(x, i[0], i[1]);
    float sum = 0;
    float least = INFINITY;
    for (std::int64_t k = 0; k < t.top; ++k) {
        // The largest below what has been taken; equal ones count as often as they occur.
        float next = -INFINITY;
        std::int64_t times = 0;
        for (std::int64_t e = 0; e < x.whole[1]; ++e) {
            const float other = at(x, i[0], e);
            if (other < least && other > next) {
                next = other;
                times = 0;
            }
            times += other == next ? 1 : 0;
        }
        least = next;
        const std::int64_t taken = times < t.top - k ? times : t.top - k;
        sum += next * static_cast<float>(taken);
        k += taken - 1;
    }
    return own >= least ? own / sum : 0;
}

DOPPLER_DEVICE float routeGradient(const RuleTask& t, const std::int64_t* i) {
    float sum = 0;
    float mean = 0;
    for (std::int64_t e = 0; e < t.operands[0].whole[1]; ++e) {
        const float gate = at(t.operands[1], i[0], e);
        sum += gate != 0 ? at(t.operands[0], i[0], e) : 0;
        mean += gate * at(t.operands[2], i[0], e);
    }
    return at(t.operands[1], i[0], i[1]) != 0 ? (at(t.operands[2], i[0], i[1]) - mean) / sum : 0;
}

DOPPLER_DEVICE float dispatch(const RuleTask& t, const std::int64_t* i) {
    const Box& x = t.operands[0];
    const Box& table = t.operands[1];
    if (t.rule == Rule::Dispatch) { // (expert, slot, h)
        const auto token = static_cast<std::int64_t>(at(table, i[0], i[1]));
        if (token < 0) {
            return 0;
        }
        const float gate = t.operandCount > 2 ? at(t.operands[2], token, i[0]) : 1;
        return at(x, token, i[2]) * gate;
    }
    const bool ofGate =
        t.rule == Rule::GateGradient; // (token, expert | h), else (token, h | expert)
    float sum = 0;
    for (std::int64_t k = t.join.begin[2]; k < t.join.end[2]; ++k) {
        const std::int64_t expert = ofGate ? i[1] : k;
        const std::int64_t column = ofGate ? k : i[1];
        for (std::int64_t slot = 0; slot < table.whole[1]; ++slot) {
            if (static_cast<std::int64_t>(at(table, expert, slot)) == i[0]) {
                const float own = at(x, expert, slot, column);
                sum += ofGate               ? own * at(t.operands[2], i[0], column)
                       : t.operandCount > 2 ? own * at(t.operands[2], i[0], expert)
                                            : own;
            }
        }
    }
    return sum;
}

DOPPLER_DEVICE float dispatchTable(const RuleTask& t, const std::int64_t* i) {
    std::int64_t slot = -1;
    for (std::int64_t token = 0; token < t.operands[0].whole[0]; ++token) {
        if (at(t.operands[0], token, i[0]) != 0 && ++slot == i[1]) {
            return static_cast<float>(token);
        }
    }
    return -1;
}

/// `i`: the element's indices in the whole result; `word`: those of the result but the last, as
/// one number within the block.
DOPPLER_DEVICE float compute(const RuleTask& t, const std::int64_t* i, std::int64_t word) {
    switch (t.rule) {
    case Rule::FillMask:
        return i[1] <= i[0] ? 0 : -INFINITY;
    case Rule::OneHot:
        return t.operands[0].data[word] == static_cast<float>(i[t.outputRank - 1]) ? 1 : 0;
    case Rule::Embedding: {
        const Box& table = t.operands[0];
        const auto row = static_cast<std::int64_t>(t.operands[1].data[word]);
        return at(table, row, i[t.outputRank - 1]);
    }
    case Rule::EmbeddingGradient: {
        const Box& words = t.operands[0];
        const Box& gradient = t.operands[1];
        const int last = gradient.rank - 1;
        const std::int64_t columns = gradient.end[last] - gradient.begin[last];
        std::int64_t count = 1;
        for (int d = 0; d < words.rank; ++d) {
            count *= words.end[d] - words.begin[d];
        }
        float sum = 0;
        for (std::int64_t w = 0; w < count; ++w) {
            if (words.data[w] == static_cast<float>(i[0])) {
                sum += gradient.data[w * columns + i[1] - gradient.begin[last]];
            }
        }
        return sum;
    }
    case Rule::Conv2d:
    case Rule::ConvInputGradient:
    case Rule::ConvFilterGradient:
        return convolve(t, i);
    case Rule::MaxPool:
    case Rule::AvgPool:
        return pool(t, i);
    case Rule::MaxPoolGradient:
    case Rule::AvgPoolGradient:
        return poolGradient(t, i);
    case Rule::RouteTop:
        return route(t, i);
    case Rule::RouteGradient:
        return routeGradient(t, i);
    case Rule::DispatchTable:
        return dispatchTable(t, i);
    case Rule::Dispatch:
    case Rule::Undispatch:
    case Rule::GateGradient:
        return dispatch(t, i);
    }
    return 0;
}

/// Element `n` of the block that `t` computes.
DOPPLER_DEVICE float ruleElement(const RuleTask& t, std::int64_t n) {
    std::int64_t index[kMostDimensions] = {};
    std::int64_t rest = n;
    for (int d = t.outputRank; d-- > 0;) {
        const std::int64_t size = t.join.end[d] - t.join.begin[d];
        index[d] = t.join.begin[d] + rest % size;
        rest /= size;
    }
    const int last = t.outputRank - 1;
    const std::int64_t columns = t.outputRank > 0 ? t.join.end[last] - t.join.begin[last] : 1;
    return compute(t, index, n / columns);
}

} // namespace doppler::engine::cuda
