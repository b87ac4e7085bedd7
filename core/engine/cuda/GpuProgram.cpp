#include "core/engine/cuda/GpuProgram.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "core/engine/cuda/GpuShapes.h"

namespace doppler::engine::cuda {

namespace {

using namespace workload;

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

bool isNarrow(Element element) {
    return element == Element::F16 || element == Element::BF16;
}

std::optional<Elementwise> elementwiseOf(TensorOp op) {
    switch (op) {
    case TensorOp::Multiply:
    case TensorOp::RotaryMultiply:
        return Elementwise::Multiply;
    case TensorOp::ReduceSum:
    case TensorOp::ReduceMax:
    case TensorOp::Convert:
        return Elementwise::Copy;
    case TensorOp::Add:
        return Elementwise::Add;
    case TensorOp::Subtract:
        return Elementwise::Subtract;
    case TensorOp::Divide:
        return Elementwise::Divide;
    case TensorOp::Exp:
        return Elementwise::Exp;
    case TensorOp::Log:
        return Elementwise::Log;
    case TensorOp::Relu:
        return Elementwise::Relu;
    case TensorOp::Sigmoid:
        return Elementwise::Sigmoid;
    case TensorOp::Tanh:
        return Elementwise::Tanh;
    case TensorOp::Silu:
        return Elementwise::Silu;
    case TensorOp::Square:
        return Elementwise::Square;
    case TensorOp::Rsqrt:
        return Elementwise::Rsqrt;
    case TensorOp::Scale:
    case TensorOp::ScaleAddEps:
        return Elementwise::Scale;
    case TensorOp::ReluGradient:
        return Elementwise::ReluGradient;
    case TensorOp::SigmoidGradient:
        return Elementwise::SigmoidGradient;
    case TensorOp::TanhGradient:
        return Elementwise::TanhGradient;
    case TensorOp::SiluGradient:
        return Elementwise::SiluGradient;
    case TensorOp::RsqrtGradient:
        return Elementwise::RsqrtGradient;
    case TensorOp::Update:
        return Elementwise::Update;
    default:
        return {};
    }
}

std::optional<Rule> ruleOf(TensorOp op) {
    switch (op) {
    case TensorOp::FillMask:
        return Rule::FillMask;
    case TensorOp::OneHot:
        return Rule::OneHot;
    case TensorOp::Embedding:
        return Rule::Embedding;
    case TensorOp::EmbeddingGradient:
        return Rule::EmbeddingGradient;
    case TensorOp::Conv2d:
        return Rule::Conv2d;
    case TensorOp::ConvInputGradient:
        return Rule::ConvInputGradient;
    case TensorOp::ConvFilterGradient:
        return Rule::ConvFilterGradient;
    case TensorOp::MaxPool:
        return Rule::MaxPool;
    case TensorOp::MaxPoolGradient:
        return Rule::MaxPoolGradient;
    case TensorOp::AvgPool:
        return Rule::AvgPool;
    case TensorOp::AvgPoolGradient:
        return Rule::AvgPoolGradient;
    case TensorOp::RouteTop:
        return Rule::RouteTop;
    case TensorOp::RouteGradient:
        return Rule::RouteGradient;
    case TensorOp::DispatchTable:
        return Rule::DispatchTable;
    case TensorOp::Dispatch:
        return Rule::Dispatch;
    case TensorOp::Undispatch:
        return Rule::Undispatch;
    case TensorOp::GateGradient:
        return Rule::GateGradient;
    default:
        return {};
    }
}

} // namespace

GpuProgram::GpuProgram(std::shared_ptr<const SplitProgram> split) : split_(std::move(split)) {
    for (OpId op = 0; op < split_->graph->opCount(); ++op) {
        plans_.push_back(operandPlans(*split_, op));
    }
}

namespace {

const void* pieceData(const OperandPiece& piece, const OpTask& task, const GpuInputs& inputs) {
    return piece.input >= 0 ? inputs.at(piece.input) : task.operands[at(piece.use)].data;
}

} // namespace

GpuProgram::Operand GpuProgram::assemble(const OperandPlan& plan, const OpTask& task,
                                         Element element, const GpuInputs& inputs,
                                         GpuLauncher& launcher) const {
    const Tensor& source = split_->program.at(plan.tensor);
    const Element stored = elementOf(source.dtype);
    if (plan.isWholeBlock() && stored == element) {
        return {pieceData(plan.pieces.front(), task, inputs), element, plan.region};
    }
    void* whole = launcher.scratch(elementCount(plan.region) * bytesOf(element));
    for (const OperandPiece& piece : plan.pieces) {
        StridedCopy copy = boxCopy(piece.overlap, piece.source, plan.region);
        copy.fromElement = stored;
        copy.toElement = element;
        if (piece.merges) {
            copy.merge = source.parameters.combine == Combine::Max ? StridedCopy::Merge::Max
                                                                   : StridedCopy::Merge::Add;
        }
        const auto* from = static_cast<const std::byte*>(pieceData(piece, task, inputs)) +
                           offsetIn(piece.source, piece.overlap) * bytesOf(stored);
        auto* to = static_cast<std::byte*>(whole) +
                   offsetIn(plan.region, piece.overlap) * bytesOf(element);
        launcher.copy(copy, from, to);
    }
    return {whole, element, plan.region};
}

void GpuProgram::run(const OpTask& task, const GpuInputs& inputs, GpuLauncher& launcher) const {
    const BlockInfo& block = split_->ofOp(task.op);
    const Tensor& tensor = split_->program.at(block.tensor);
    const Element stored = elementOf(tensor.dtype);
    // Contractions of one narrow type use its tensor cores; all else is computed in f32.
    const bool narrowProduct =
        tensor.op == TensorOp::Matmul && isNarrow(stored) &&
        std::all_of(tensor.operands.begin(), tensor.operands.end(), [&](TensorId operand) {
            return elementOf(split_->program.at(operand).dtype) == stored;
        });
    const Element computed = narrowProduct || stored == Element::C64 ? stored : Element::F32;
    std::vector<Operand> operands;
    for (const OperandPlan& plan : plans_[at(task.op)]) {
        const Element own = elementOf(split_->program.at(plan.tensor).dtype);
        const Element wanted = narrowProduct         ? stored
                               : own == Element::C64 ? Element::C64
                                                     : Element::F32;
        operands.push_back(assemble(plan, task, wanted, inputs, launcher));
    }
    const Region region = block.output(split_->program);
    const std::int64_t count = elementCount(region);
    void* out = computed == stored ? task.output.data : launcher.scratch(count * bytesOf(computed));
    if (tensor.op == TensorOp::Matmul) {
        contract(block, operands, out, launcher);
    } else if (!tensor.indices.empty()) {
        join(block, operands, out, launcher);
    } else {
        byRule(block, operands, out, launcher);
    }
    if (out != task.output.data) {
        StridedCopy convert = flatCopy(count);
        convert.fromElement = computed;
        convert.toElement = stored;
        launcher.copy(convert, out, task.output.data);
    }
}

// As one batched matrix product: what both operands and the result have, what one has, what is
// summed. Operands and result are rearranged where they do not lie like that.
void GpuProgram::contract(const BlockInfo& block, const std::vector<Operand>& operands, void* out,
                          GpuLauncher& launcher) const {
    const Tensor& tensor = split_->program.at(block.tensor);
    const ContractionPlan plan(tensor, block.join);
    const Element element = operands[0].element;
    const auto arranged = [&](std::size_t k, const std::vector<int>& order) {
        const StridedCopy copy = plan.arrange(k, order);
        if (isPlain(copy)) {
            return operands[k].data;
        }
        void* data = launcher.scratch(elementCount(operands[k].region) * bytesOf(element));
        StridedCopy typed = copy;
        typed.fromElement = typed.toElement = element;
        launcher.copy(typed, operands[k].data, data);
        return static_cast<const void*>(data);
    };
    const void* a = arranged(0, plan.orderOfLeft());
    const void* b = arranged(1, plan.orderOfRight());
    StridedCopy result = plan.arrangeResult();
    void* product =
        isPlain(result)
            ? out
            : launcher.scratch(elementCount(block.output(split_->program)) * bytesOf(element));
    launcher.multiply({.element = element,
                       .batch = plan.batch(),
                       .rows = plan.rows(),
                       .columns = plan.columns(),
                       .inner = plan.inner()},
                      a, b, product);
    if (product != out) {
        result.fromElement = result.toElement = element;
        launcher.copy(result, product, out);
    }
}

void GpuProgram::join(const BlockInfo& block, const std::vector<Operand>& operands, void* out,
                      GpuLauncher& launcher) const {
    const Tensor& tensor = split_->program.at(block.tensor);
    const auto op = elementwiseOf(tensor.op);
    if (!op || operands.size() > kMostOperands) {
        throw std::runtime_error("no CUDA kernel for " + tensor.opName() + " of " +
                                 std::to_string(operands.size()) + " operands");
    }
    const std::vector<std::vector<int>> letters = lettersOf(tensor);
    Join task;
    task.op = *op;
    task.isComplex = tensor.dtype == graph::DType::C64;
    task.maximum = tensor.parameters.combine == Combine::Max;
    task.rank = static_cast<int>(block.join.size());
    task.outputRank = tensor.outputRank;
    for (std::size_t d = 0; d < block.join.size(); ++d) {
        task.sizes[d] = block.join[d].size();
    }
    task.operandCount = static_cast<int>(operands.size());
    for (std::size_t k = 0; k < operands.size(); ++k) {
        task.operands[k].data = operands[k].data;
        const std::vector<std::int64_t> strides = stridesOf(operands[k].region);
        for (std::size_t d = 0; d < strides.size(); ++d) {
            task.operands[k].strides[letters[k][d]] += strides[d];
        }
    }
    const bool scales = tensor.op == TensorOp::Scale || tensor.op == TensorOp::ScaleAddEps ||
                        tensor.op == TensorOp::Update;
    task.scale = scales ? static_cast<float>(tensor.parameters.scale) : 1;
    task.eps = tensor.op == TensorOp::ScaleAddEps ? static_cast<float>(tensor.parameters.eps) : 0;
    launcher.join(task, out);
}

void GpuProgram::byRule(const BlockInfo& block, const std::vector<Operand>& operands, void* out,
                        GpuLauncher& launcher) const {
    const Tensor& tensor = split_->program.at(block.tensor);
    const Region output = block.output(split_->program);
    if (const auto rule = ruleOf(tensor.op)) {
        RuleTask task;
        task.rule = *rule;
        task.join = boxOf(block.join, tensor.fullShape, nullptr);
        task.outputRank = tensor.outputRank;
        task.operandCount = static_cast<int>(operands.size());
        for (std::size_t k = 0; k < operands.size(); ++k) {
            task.operands[k] =
                boxOf(operands[k].region, split_->program.at(tensor.operands[k]).outputShape(),
                      static_cast<const float*>(operands[k].data));
        }
        for (std::size_t d = 0; d < 2; ++d) {
            task.window[d] = tensor.parameters.window[d];
            task.stride[d] = tensor.parameters.stride[d];
            task.padding[d] = tensor.parameters.padding[d];
        }
        task.top = tensor.parameters.top;
        launcher.rule(task, static_cast<float*>(out));
        return;
    }
    for (const MovedPart& part : movedParts(split_->program, block)) {
        const Operand& operand = operands[part.operand];
        StridedCopy copy = part.copy;
        copy.fromElement = part.asReal ? Element::F32 : operand.element;
        copy.toElement = part.asReal ? Element::F32 : operand.element;
        launcher.copy(copy,
                      static_cast<const std::byte*>(operand.data) +
                          part.fromOffset * bytesOf(copy.fromElement),
                      static_cast<std::byte*>(out) + part.toOffset * bytesOf(copy.toElement));
    }
}

} // namespace doppler::engine::cuda
