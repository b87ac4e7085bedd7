#include "core/engine/cpu/TorchBlock.h" // before the headers of operators

#include <algorithm>
#include <stdexcept>

#include <ATen/ops/add.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/div.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/log.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/tanh.h>

namespace doppler::engine {

namespace {

using namespace workload;
using Dims = std::vector<std::int64_t>;

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

/// Join dimensions of each operand's dimensions.
std::vector<Dims> lettersOf(const Tensor& tensor) {
    std::vector<Dims> letters(1);
    for (const char c : tensor.indices.substr(0, tensor.indices.find("->"))) {
        if (c == ',') {
            letters.emplace_back();
        } else {
            letters.back().push_back(c - 'a');
        }
    }
    return letters;
}

bool contains(const Dims& dims, std::int64_t d) {
    return std::find(dims.begin(), dims.end(), d) != dims.end();
}

/// A view with a dimension for each of the join's first `rank`; those without a letter are
/// repeated.
at::Tensor joined(const at::Tensor& values, const Dims& letters, const Dims& joinShape) {
    Dims order(letters.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = static_cast<std::int64_t>(i);
    }
    std::sort(order.begin(), order.end(),
              [&](std::int64_t a, std::int64_t b) { return letters[at(a)] < letters[at(b)]; });
    at::Tensor view = values.permute(order);
    for (std::int64_t d = 0; d < static_cast<std::int64_t>(joinShape.size()); ++d) {
        if (!contains(letters, d)) {
            view = view.unsqueeze(d);
        }
    }
    return view.expand(joinShape);
}

/// Products summed over what is not in the output, as one batched matrix product.
void contract(const std::vector<BlockOperand>& operands, const std::vector<Dims>& letters,
              int outputRank, const Dims& joinShape, at::Tensor& out) {
    Dims batch;
    Dims left;
    Dims right;
    Dims inner;
    at::Tensor a = operands[0].values;
    at::Tensor b = operands[1].values;
    Dims ofA = letters[0];
    Dims ofB = letters[1];
    // A dimension that only one operand has and the output lacks is summed beforehand.
    const auto sumAlone = [&](at::Tensor& x, Dims& own, const Dims& other) {
        for (std::size_t i = own.size(); i-- > 0;) {
            if (own[i] >= outputRank && !contains(other, own[i])) {
                x = x.sum(static_cast<std::int64_t>(i));
                own.erase(own.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    };
    sumAlone(a, ofA, ofB);
    sumAlone(b, ofB, ofA);
    for (std::int64_t d = 0; d < static_cast<std::int64_t>(joinShape.size()); ++d) {
        const bool inA = contains(ofA, d);
        const bool inB = contains(ofB, d);
        if (inA && inB) {
            (d < outputRank ? batch : inner).push_back(d);
        } else if (inA || inB) {
            (inA ? left : right).push_back(d);
        }
    }
    const auto sizeOf = [&](const Dims& dims) {
        std::int64_t size = 1;
        for (const std::int64_t d : dims) {
            size *= joinShape[at(d)];
        }
        return size;
    };
    const auto arranged = [&](const at::Tensor& x, const Dims& own, const Dims& rows,
                              const Dims& columns) {
        Dims order;
        for (const Dims* dims : std::initializer_list<const Dims*>{&batch, &rows, &columns}) {
            for (const std::int64_t d : *dims) {
                order.push_back(std::find(own.begin(), own.end(), d) - own.begin());
            }
        }
        return x.permute(order).reshape({sizeOf(batch), sizeOf(rows), sizeOf(columns)});
    };
    const at::Tensor lhs = arranged(a, ofA, left, inner);
    const at::Tensor rhs = arranged(b, ofB, inner, right);
    Dims result; // join dimensions in the order of the product
    for (const Dims* dims : {&batch, &left, &right}) {
        result.insert(result.end(), dims->begin(), dims->end());
    }
    if (std::is_sorted(result.begin(), result.end()) && at(outputRank) == result.size()) {
        at::Tensor flat = out.view({sizeOf(batch), sizeOf(left), sizeOf(right)});
        if (sizeOf(batch) == 1) {
            at::Tensor matrix = flat[0];
            at::mm_out(matrix, lhs[0], rhs[0]);
        } else {
            at::bmm_out(flat, lhs, rhs);
        }
        return;
    }
    Dims shape;
    for (const std::int64_t d : result) {
        shape.push_back(joinShape[at(d)]);
    }
    const Dims outShape(joinShape.begin(), joinShape.begin() + outputRank);
    out.copy_(joined(at::bmm(lhs, rhs).view(shape), result, outShape));
}

void elementwise(const Tensor& tensor, const std::vector<at::Tensor>& x, at::Tensor& out) {
    const OpParameters& p = tensor.parameters;
    switch (tensor.op) {
    case TensorOp::Matmul: // of a contraction that is no matrix product
    case TensorOp::Multiply:
    case TensorOp::RotaryMultiply:
        at::mul_out(out, x[0], x[1]);
        return;
    case TensorOp::ReduceSum:
    case TensorOp::ReduceMax:
    case TensorOp::Convert:
        out.copy_(x[0]);
        return;
    case TensorOp::Add:
        if (x.size() == 1) {
            out.copy_(x[0]);
            return;
        }
        at::add_out(out, x[0], x[1]);
        for (std::size_t k = 2; k < x.size(); ++k) {
            out.add_(x[k]);
        }
        return;
    case TensorOp::Subtract:
        at::sub_out(out, x[0], x[1]);
        return;
    case TensorOp::Divide:
        at::div_out(out, x[0], x[1]);
        return;
    case TensorOp::Exp:
        at::exp_out(out, x[0]);
        return;
    case TensorOp::Log:
        at::log_out(out, x[0]);
        return;
    case TensorOp::Relu:
        at::clamp_min_out(out, x[0], 0);
        return;
    case TensorOp::Sigmoid:
        at::sigmoid_out(out, x[0]);
        return;
    case TensorOp::Tanh:
        at::tanh_out(out, x[0]);
        return;
    case TensorOp::Silu:
        at::silu_out(out, x[0]);
        return;
    case TensorOp::Square:
        at::mul_out(out, x[0], x[0]);
        return;
    case TensorOp::Rsqrt:
        at::rsqrt_out(out, x[0]);
        return;
    case TensorOp::Scale:
        out.copy_(x[0]).mul_(p.scale);
        return;
    case TensorOp::ScaleAddEps:
        out.copy_(x[0]).mul_(p.scale).add_(p.eps);
        return;
    case TensorOp::ReluGradient:
        at::mul_out(out, x[1], x[0].gt(0));
        return;
    case TensorOp::SigmoidGradient:
        out.copy_(x[1] * x[0] * (1 - x[0]));
        return;
    case TensorOp::TanhGradient:
        out.copy_(x[1] * (1 - x[0] * x[0]));
        return;
    case TensorOp::SiluGradient: {
        const at::Tensor sigmoid = x[0].sigmoid();
        out.copy_(x[1] * sigmoid * (1 + x[0] * (1 - sigmoid)));
        return;
    }
    case TensorOp::RsqrtGradient:
        out.copy_(x[1] * x[0] * x[0] * x[0] * -0.5);
        return;
    case TensorOp::Update:
        at::sub_out(out, x[0], x[1], p.scale);
        return;
    default:
        throw std::runtime_error("no kernel for " + tensor.opName());
    }
}

} // namespace

void computeByLetters(const TensorProgram& program, const BlockInfo& block,
                      const std::vector<BlockOperand>& operands, at::Tensor& out) {
    const Tensor& tensor = program.at(block.tensor);
    const std::vector<Dims> letters = lettersOf(tensor);
    Dims joinShape;
    for (const Interval& interval : block.join) {
        joinShape.push_back(interval.size());
    }
    if (tensor.op == TensorOp::Matmul) {
        contract(operands, letters, tensor.outputRank, joinShape, out);
        return;
    }
    std::vector<at::Tensor> views;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        views.push_back(joined(operands[k].values, letters[k], joinShape));
    }
    if (joinShape.size() == at(tensor.outputRank)) {
        elementwise(tensor, views, out);
        return;
    }
    Dims reduced;
    for (auto d = std::int64_t{tensor.outputRank}; at(d) < joinShape.size(); ++d) {
        reduced.push_back(d);
    }
    at::Tensor all = views[0];
    if (tensor.op != TensorOp::ReduceSum && tensor.op != TensorOp::ReduceMax) {
        all = at::Tensor(out.new_empty(joinShape));
        elementwise(tensor, views, all);
    }
    if (tensor.parameters.combine == Combine::Max) {
        at::amax_out(out, all, reduced);
    } else {
        at::sum_out(out, all, reduced);
    }
}

} // namespace doppler::engine
