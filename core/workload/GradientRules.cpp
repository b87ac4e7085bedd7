#include "core/workload/GradientPass.h"

#include <array>

namespace doppler::workload {

namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

bool contains(const std::string& text, char letter) {
    return text.find(letter) != std::string::npos;
}

} // namespace

void GradientPass::distribute(TensorId id, const Tensor& tensor, const Gradient& gradient) {
    switch (tensor.op) {
    case TensorOp::Matmul:
        return ofMatmul(tensor, gradient);
    case TensorOp::Multiply:
        return ofMultiply(tensor, gradient);
    case TensorOp::Add:
    case TensorOp::Subtract:
        return ofSum(tensor, gradient);
    case TensorOp::Divide:
        return ofDivide(id, tensor, gradient);
    case TensorOp::ReduceSum:
        return addShare(tensor.operands[0], {gradient.id, inOperand(tensor, 0, gradient.dims)});
    case TensorOp::Exp:
        return elementwise(TensorOp::Multiply, id, tensor, gradient);
    case TensorOp::Relu:
        return elementwise(TensorOp::ReluGradient, id, tensor, gradient);
    case TensorOp::Sigmoid:
        return elementwise(TensorOp::SigmoidGradient, id, tensor, gradient);
    case TensorOp::Tanh:
        return elementwise(TensorOp::TanhGradient, id, tensor, gradient);
    case TensorOp::Rsqrt:
        return elementwise(TensorOp::RsqrtGradient, id, tensor, gradient);
    case TensorOp::Formation:
        return addShare(tensor.operands[0], gradient);
    case TensorOp::Silu:
        return elementwise(TensorOp::SiluGradient, tensor.operands[0], tensor, gradient);
    case TensorOp::Square: {
        const Gradient product = multiplied(roleOf(tensor.operands[0]) + ", half",
                                            tensor.operands[0], tensor.outputRank, gradient);
        return addShare(tensor.operands[0], scaled(roleOf(tensor.operands[0]), product, 2));
    }
    case TensorOp::Scale:
    case TensorOp::ScaleAddEps:
        return addShare(tensor.operands[0],
                        scaled(roleOf(tensor.operands[0]), gradient, tensor.parameters.scale));
    case TensorOp::Select:
    case TensorOp::Take:
        return ofPart(tensor, gradient);
    case TensorOp::Concat:
        return ofConcat(tensor, gradient);
    case TensorOp::Stack:
        return ofStack(tensor, gradient);
    default:
        return ofModelOperator(id, tensor, whole(tensor, gradient));
    }
}

void GradientPass::ofMatmul(const Tensor& tensor, const Gradient& gradient) {
    const Indices indices(tensor.indices);
    for (std::size_t k = 0; k < 2; ++k) {
        const TensorId operand = tensor.operands[k];
        if (!isNeeded(operand)) {
            continue;
        }
        const std::string text =
            gradient.dims + "," + indices.operands[1 - k] + "->" + indices.operands[k];
        addShare(operand, {apply(TensorOp::Matmul, roleOf(operand), text,
                                 {gradient.id, tensor.operands[1 - k]}),
                           dimensionLetters(w_.at(operand).outputRank)});
    }
}

TensorId GradientPass::summedProduct(const std::string& role, const std::string& indices,
                                     const std::vector<TensorId>& factors) {
    const TensorId sum = apply(TensorOp::Matmul, role, indices, factors);
    const Tensor& row = w_.at(sum);
    w_.setKind(row.op == TensorOp::Formation ? row.operands[0] : sum, graph::OpKind::Reduction);
    return sum;
}

void GradientPass::ofMultiply(const Tensor& tensor, const Gradient& gradient) {
    const Indices indices(tensor.indices);
    for (std::size_t k = 0; k < 2; ++k) {
        const TensorId operand = tensor.operands[k];
        if (!isNeeded(operand)) {
            continue;
        }
        const std::string& other = indices.operands[1 - k];
        const std::string& own = indices.operands[k];
        const std::vector<TensorId> factors{gradient.id, tensor.operands[1 - k]};
        const std::string text = gradient.dims + "," + other + "->";
        const TensorId share =
            own.size() == indices.output.size()
                ? apply(TensorOp::Multiply, roleOf(operand), text + indices.output, factors)
                : summedProduct(roleOf(operand), text + own, factors);
        addShare(operand, {share, dimensionLetters(w_.at(operand).outputRank)});
    }
}

void GradientPass::ofSum(const Tensor& tensor, const Gradient& gradient) {
    const Indices indices(tensor.indices);
    for (std::size_t k = 0; k < tensor.operands.size(); ++k) {
        const TensorId operand = tensor.operands[k];
        if (!isNeeded(operand)) {
            continue;
        }
        Gradient share = gradient;
        if (indices.operands[k].size() < indices.output.size()) {
            whole(tensor, gradient);
            share.id = apply(TensorOp::ReduceSum, roleOf(operand),
                             indices.output + "->" + indices.operands[k], {gradient.id});
            share.dims = indices.operands[k];
        }
        if (tensor.op == TensorOp::Subtract && k == 1) {
            share = scaled(roleOf(operand) + ", negated", share, -1);
        }
        share.dims = inOperand(tensor, k, share.dims);
        addShare(operand, share);
    }
}

void GradientPass::ofDivide(TensorId id, const Tensor& tensor, const Gradient& gradient) {
    const Indices indices(tensor.indices);
    const TensorId x = tensor.operands[0];
    const TensorId y = tensor.operands[1];
    const std::string& rows = indices.operands[1];
    const TensorId dz = whole(tensor, gradient);
    addShare(x, {apply(TensorOp::Divide, roleOf(x), tensor.indices, {dz, y}),
                 dimensionLetters(tensor.outputRank)});
    const TensorId sum =
        summedProduct(roleOf(y) + ", times itself, negated",
                      indices.output + "," + indices.output + "->" + rows, {dz, id});
    const Gradient negated = scaled(roleOf(y) + ", times itself", {sum, rows}, -1);
    const TensorId quotient =
        apply(TensorOp::Divide, roleOf(y), rows + "," + rows + "->" + rows, {negated.id, y});
    addShare(y, {quotient, dimensionLetters(w_.at(y).outputRank)});
}

void GradientPass::elementwise(TensorOp op, TensorId factor, const Tensor& tensor,
                               const Gradient& gradient) {
    const std::string all = dimensionLetters(tensor.outputRank);
    addShare(tensor.operands[0],
             {apply(op, roleOf(tensor.operands[0]), all + "," + gradient.dims + "->" + all,
                    {factor, gradient.id}),
              all});
}

Gradient GradientPass::scaled(const std::string& role, const Gradient& gradient, double scale) {
    return {apply(TensorOp::Scale, role, gradient.dims + "->" + gradient.dims, {gradient.id},
                  {.scale = scale}),
            gradient.dims};
}

Gradient GradientPass::multiplied(const std::string& role, TensorId factor, int rank,
                                  const Gradient& gradient) {
    const std::string all = dimensionLetters(rank);
    return {apply(TensorOp::Multiply, role, all + "," + gradient.dims + "->" + all,
                  {factor, gradient.id}),
            all};
}

std::string GradientPass::inOperand(const Tensor& tensor, std::size_t operand,
                                    const std::string& dims) {
    const std::string own = Indices(tensor.indices).operands[operand];
    std::string result;
    for (std::size_t d = 0; d < own.size(); ++d) {
        if (contains(dims, own[d])) {
            result += static_cast<char>('a' + d);
        }
    }
    return result;
}

void GradientPass::ofPart(const Tensor& tensor, const Gradient& gradient) {
    const TensorId operand = tensor.operands[0];
    whole(tensor, gradient);
    if (tensor.op == TensorOp::Take) {
        return addPart(operand, gradient, TensorOp::Take, tensor.parameters.axis,
                       tensor.parameters.start[0]);
    }
    const graph::Shape& shape = w_.at(operand).fullShape;
    int axis = 0;
    while (axis + 1 < tensor.outputRank && shape[at(axis)] == tensor.fullShape[at(axis)]) {
        ++axis;
    }
    addPart(operand, gradient, TensorOp::Select, axis, tensor.parameters.start[at(axis)]);
}

void GradientPass::ofConcat(const Tensor& tensor, const Gradient& gradient) {
    const int axis = tensor.parameters.axis;
    const std::size_t position = gradient.dims.find(static_cast<char>('a' + axis));
    std::int64_t begin = 0;
    for (const TensorId operand : tensor.operands) {
        const std::int64_t size = w_.at(operand).fullShape[at(axis)];
        if (isNeeded(operand)) {
            Gradient share = gradient;
            if (position != std::string::npos) {
                graph::Shape shape = w_.at(gradient.id).outputShape();
                graph::Shape start(shape.size(), 0);
                shape[position] = size;
                start[position] = begin;
                const int rank = static_cast<int>(shape.size());
                Partition partition;
                if (rank == tensor.outputRank) {
                    partition = waysOf(w_.at(operand));
                }
                share.id =
                    w_.shaped(TensorOp::Select, roleOf(operand), std::move(shape), rank,
                              {gradient.id}, std::move(partition), {.start = std::move(start)});
            }
            addShare(operand, share);
        }
        begin += size;
    }
}

void GradientPass::ofStack(const Tensor& tensor, const Gradient& gradient) {
    const TensorId whole = GradientPass::whole(tensor, gradient);
    for (std::size_t k = 0; k < tensor.operands.size(); ++k) {
        const TensorId operand = tensor.operands[k];
        if (isNeeded(operand)) {
            addShare(operand,
                     {w_.shaped(TensorOp::Take, roleOf(operand), w_.at(operand).outputShape(),
                                w_.at(operand).outputRank, {whole}, waysOf(w_.at(operand)),
                                {.start = {static_cast<std::int64_t>(k)},
                                 .axis = tensor.parameters.axis}),
                      dimensionLetters(w_.at(operand).outputRank)});
        }
    }
}

void GradientPass::ofModelOperator(TensorId id, const Tensor& tensor, TensorId gradient) {
    const TensorId x = tensor.operands[0];
    const Tensor input = w_.at(x);
    const graph::Shape shape = input.outputShape();
    const std::string all = dimensionLetters(input.outputRank);
    const OpParameters& parameters = tensor.parameters;
    const auto share = [&](TensorOp op, std::vector<TensorId> operands) {
        addShare(x, {w_.shaped(op, roleOf(x), shape, input.outputRank, std::move(operands),
                               waysOf(input), parameters),
                     all});
    };
    switch (tensor.op) {
    case TensorOp::Embedding:
        return share(TensorOp::EmbeddingGradient, {tensor.operands[1], gradient});
    case TensorOp::MaxPool:
        return share(TensorOp::MaxPoolGradient, {x, id, gradient});
    case TensorOp::AvgPool:
        return share(TensorOp::AvgPoolGradient, {gradient});
    case TensorOp::Conv2d:
        return ofConvolution(tensor, gradient);
    case TensorOp::Convert:
        return addShare(x, {w_.convert(roleOf(x), gradient, input.dtype, waysOf(input)), all});
    case TensorOp::RouteTop:
        return share(TensorOp::RouteGradient, {x, id, gradient});
    case TensorOp::Dispatch:
        return ofDispatch(tensor, gradient);
    case TensorOp::Undispatch:
        return ofUndispatch(tensor, gradient);
    default:
        fail(tensor, "no rule for this operator");
    }
}

void GradientPass::ofDispatch(const Tensor& tensor, TensorId gradient) {
    const TensorId x = tensor.operands[0];
    const Tensor input = w_.at(x);
    const Partition ways = waysOf(input);
    const std::int64_t experts = tensor.fullShape[0];
    const TensorId partials = w_.shaped(
        TensorOp::Undispatch, roleOf(x), {input.fullShape[0], input.fullShape[1], experts}, 2,
        {gradient, tensor.operands[1]}, {ways[0], ways[1], tensor.partition[0]});
    addShare(x, {w_.form(roleOf(x), partials), dimensionLetters(2)});
}

void GradientPass::ofUndispatch(const Tensor& tensor, TensorId gradient) {
    const TensorId slots = tensor.operands[0];
    const TensorId table = tensor.operands[1];
    const TensorId gates = tensor.operands[2];
    addShare(slots, {w_.shaped(TensorOp::Dispatch, roleOf(slots), w_.at(slots).outputShape(), 3,
                               {gradient, table, gates}, waysOf(w_.at(slots))),
                     dimensionLetters(3)});
    w_.setDType(w_.at(gates).dtype);
    const graph::Shape shape = w_.at(gates).outputShape();
    const Partition ways = waysOf(w_.at(gates));
    const TensorId partials =
        w_.shaped(TensorOp::GateGradient, roleOf(gates), {shape[0], shape[1], tensor.fullShape[1]},
                  2, {slots, table, gradient}, {ways[0], ways[1], tensor.partition[1]});
    addShare(gates, {w_.form(roleOf(gates), partials), dimensionLetters(2)});
}

void GradientPass::ofConvolution(const Tensor& tensor, TensorId gradient) {
    const TensorId x = tensor.operands[0];
    const TensorId filter = tensor.operands[1];
    const auto [n, k, p, q, c, r, s] = std::array<std::int64_t, 7>{
        tensor.fullShape[0], tensor.fullShape[1], tensor.fullShape[2], tensor.fullShape[3],
        tensor.fullShape[4], tensor.fullShape[5], tensor.fullShape[6]};
    addShare(filter, {w_.shaped(TensorOp::ConvFilterGradient, roleOf(filter), {k, c, r, s, n, p, q},
                                4, {x, gradient}, waysOf(w_.at(filter), 3), tensor.parameters),
                      dimensionLetters(4)});
    if (!isNeeded(x)) {
        return;
    }
    const graph::Shape images = w_.at(x).outputShape();
    const TensorId dx =
        w_.shaped(TensorOp::ConvInputGradient, roleOf(x), {n, c, images[2], images[3], k, r, s}, 4,
                  {gradient, filter}, {}, tensor.parameters);
    w_.setWorkPerElement(dx,
                         static_cast<double>(p * q) / static_cast<double>(images[2] * images[3]));
    addShare(x, {dx, dimensionLetters(4)});
}

} // namespace doppler::workload
