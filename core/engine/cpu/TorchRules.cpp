#include "core/engine/cpu/TorchBlock.h" // before the headers of operators

#include <stdexcept>

#include <ATen/ops/arange.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>

namespace doppler::engine {

namespace {

using namespace workload;

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

void concat(const Tensor& tensor, const BlockInfo& block, const TensorProgram& program,
            const std::vector<BlockOperand>& operands, at::Tensor& out) {
    const auto axis = at(tensor.parameters.axis);
    std::int64_t first = 0; // index of the operand's beginning in the result
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const Interval& read = operands[k].region[axis];
        if (!read.empty()) {
            out.narrow(tensor.parameters.axis, first + read.begin - block.join[axis].begin,
                       read.size())
                .copy_(operands[k].values);
        }
        first += program.at(tensor.operands[k]).fullShape[axis];
    }
}

void embeddingGradient(const BlockInfo& block, const std::vector<BlockOperand>& operands,
                       at::Tensor& out) {
    const Interval& rows = block.join[0];
    const at::Tensor words = operands[0].values.reshape({-1}).to(at::kLong);
    const at::Tensor gradient =
        operands[1].values.reshape({words.numel(), operands[1].values.size(-1)});
    const at::Tensor own =
        ((words >= rows.begin).logical_and(words < rows.end)).nonzero().reshape({-1});
    out.zero_();
    out.index_add_(0, words.index_select(0, own) - rows.begin, gradient.index_select(0, own));
}

} // namespace

void computeByRule(const TensorProgram& program, const BlockInfo& block,
                   const std::vector<BlockOperand>& operands, at::Tensor& out) {
    const Tensor& tensor = program.at(block.tensor);
    switch (tensor.op) {
    case TensorOp::Formation:
        out.copy_(operands[0].values);
        return;
    case TensorOp::ComplexFromReal: {
        const at::Tensor x = operands[0].values.contiguous();
        std::vector<std::int64_t> shape = out.sizes().vec();
        shape.push_back(2);
        out.copy_(at::view_as_complex(x.view(shape)));
        return;
    }
    case TensorOp::RealFromComplex: {
        const Interval& wanted = block.join.back();
        const at::Tensor pairs = at::view_as_real(operands[0].values.contiguous()).flatten(-2);
        out.copy_(
            pairs.narrow(-1, wanted.begin - 2 * operands[0].region.back().begin, wanted.size()));
        return;
    }
    case TensorOp::FillMask:
        out.fill_(-std::numeric_limits<double>::infinity());
        out.triu_(block.join[0].begin - block.join[1].begin + 1);
        return;
    case TensorOp::Select:
    case TensorOp::Squeeze:
    case TensorOp::Take:
        out.copy_(operands[0].values.reshape(out.sizes()));
        return;
    case TensorOp::Stack: {
        const auto axis = tensor.parameters.axis;
        const Interval& made = block.join[at(axis)];
        for (std::int64_t k = made.begin; k < made.end; ++k) {
            out.select(axis, k - made.begin).copy_(operands[at(k)].values);
        }
        return;
    }
    case TensorOp::Concat:
        concat(tensor, block, program, operands, out);
        return;
    case TensorOp::OneHot: {
        const Interval& classes = block.join.back();
        const at::Tensor numbers =
            at::arange(classes.begin, classes.end, operands[0].values.options());
        out.copy_(operands[0].values.unsqueeze(-1).eq(numbers));
        return;
    }
    case TensorOp::Embedding:
        out.copy_(operands[0]
                      .values.index_select(0, operands[1].values.reshape({-1}).to(at::kLong))
                      .reshape(out.sizes()));
        return;
    case TensorOp::EmbeddingGradient:
        embeddingGradient(block, operands, out);
        return;
    case TensorOp::Conv2d:
    case TensorOp::ConvInputGradient:
    case TensorOp::ConvFilterGradient:
    case TensorOp::MaxPool:
    case TensorOp::AvgPool:
    case TensorOp::MaxPoolGradient:
    case TensorOp::AvgPoolGradient:
        computeWindows(program, block, operands, out);
        return;
    case TensorOp::RouteTop:
    case TensorOp::RouteGradient:
    case TensorOp::DispatchTable:
    case TensorOp::Dispatch:
    case TensorOp::Undispatch:
    case TensorOp::GateGradient:
        computeRouting(program, block, operands, out);
        return;
    default:
        throw std::runtime_error("no kernel for " + tensor.opName());
    }
}

} // namespace doppler::engine
