#include "core/engine/OperandPieces.h"

#include <algorithm>

namespace doppler::engine {

namespace {

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

bool isFirstPartial(const workload::TensorProgram& program, const workload::BlockInfo& block) {
    const auto summed = block.index.begin() + program.at(block.tensor).outputRank;
    return std::all_of(summed, block.index.end(), [](std::int64_t part) { return part == 0; });
}

} // namespace

std::vector<OperandPlan> operandPlans(const workload::SplitProgram& split, OpId op) {
    const workload::BlockInfo& block = split.ofOp(op);
    const workload::Tensor& tensor = split.program.at(block.tensor);
    std::vector<OperandPlan> plans;
    for (std::size_t k = 0; k < tensor.operands.size(); ++k) {
        plans.push_back({.tensor = tensor.operands[k], .region = block.operands[k], .pieces = {}});
    }
    std::int32_t number = 0;
    for (const graph::Use& use : split.graph->uses(op)) {
        OperandPlan& plan = plans[at(use.operand)];
        const workload::BlockInfo& producer =
            use.fromInput ? split.ofInput(use.source) : split.ofOp(use.source);
        OperandPiece piece{.use = number++,
                           .input = use.fromInput ? use.source : -1,
                           .source = producer.output(split.program),
                           .overlap = {},
                           .merges = !isFirstPartial(split.program, producer)};
        for (std::size_t d = 0; d < piece.source.size(); ++d) {
            piece.overlap.push_back(intersect(piece.source[d], plan.region[d]));
        }
        plan.pieces.push_back(std::move(piece));
    }
    for (OperandPlan& plan : plans) {
        std::stable_partition(plan.pieces.begin(), plan.pieces.end(),
                              [](const OperandPiece& piece) { return !piece.merges; });
    }
    return plans;
}

} // namespace doppler::engine
