#include "tests/support/ReferenceRun.h"

#include <random>
#include <set>
#include <stdexcept>

namespace doppler::tests {

using namespace workload;

namespace {

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

} // namespace

ReferenceRun::ReferenceRun(const SplitProgram& split, const std::map<TensorId, Values>& inputs)
    : split_(split), values_(split.blocks.size()) {
    for (std::size_t b = 0; b < split.blocks.size(); ++b) {
        const BlockInfo& block = split.blocks[b];
        if (block.op == kNoOp) {
            const Region all = wholeRegion(split.program.at(block.tensor).fullShape);
            const Values& input = inputs.at(block.tensor);
            forEachIndex(block.join, [&](const Index& index) {
                values_[b].push_back(input[offset(all, index)]);
            });
            continue;
        }
        std::vector<Operand> operands;
        for (std::size_t k = 0; k < block.operands.size(); ++k) {
            operands.push_back(gather(block, k));
        }
        values_[b] = computeBlock(split.program, block, operands);
    }
}

Operand ReferenceRun::gather(const BlockInfo& block, std::size_t operand) const {
    const Tensor& tensor = split_.program.at(block.tensor);
    const Tensor& source = split_.program.at(tensor.operands[operand]);
    Operand result{block.operands[operand], {}};
    result.values.assign(at(elementCount(result.region)), neutral(source.parameters.combine));
    std::vector<std::int64_t> seen(result.values.size(), 0);
    std::set<std::size_t> used;
    for (const graph::Use& use : split_.graph->uses(block.op)) {
        if (at(use.operand) != operand) {
            continue;
        }
        const std::size_t from =
            use.fromInput ? split_.blockOfInput[at(use.source)] : split_.blockOfOp[at(use.source)];
        const Region output = split_.blocks[from].output(split_.program);
        Region overlap;
        for (std::size_t d = 0; d < output.size(); ++d) {
            overlap.push_back(intersect(output[d], result.region[d]));
        }
        if (elementCount(overlap) == 0 || !used.insert(from).second) {
            throw std::runtime_error("an edge into " + tensor.role + " that brings nothing");
        }
        forEachIndex(overlap, [&](const Index& index) {
            const std::size_t i = offset(result.region, index);
            result.values[i] = merge(source.parameters.combine, result.values[i],
                                     values_[from][offset(output, index)]);
            ++seen[i];
        });
    }
    for (const std::int64_t count : seen) {
        if (count != source.partialCount()) {
            throw std::runtime_error("operand " + std::to_string(operand) + " of " + tensor.role +
                                     " is not covered once");
        }
    }
    return result;
}

Values ReferenceRun::whole(TensorId id) const {
    const Tensor& tensor = split_.program.at(id);
    const Region all = wholeRegion(tensor.outputShape());
    Values result(at(elementCount(all)), neutral(tensor.parameters.combine));
    for (std::size_t b = split_.firstBlock[at(id)]; b < split_.firstBlock[at(id) + 1]; ++b) {
        const Region output = split_.blocks[b].output(split_.program);
        forEachIndex(output, [&](const Index& index) {
            Value& value = result[offset(all, index)];
            value = merge(tensor.parameters.combine, value, values_[b][offset(output, index)]);
        });
    }
    return result;
}

std::map<TensorId, Values> ReferenceRun::randomInputs(const TensorProgram& program, unsigned seed) {
    std::mt19937 random(seed);
    const auto uniform = [&] { return double(random()) / double(std::mt19937::max()) * 2 - 1; };
    std::map<TensorId, Values> inputs;
    for (TensorId id = 0; at(id) < program.tensors.size(); ++id) {
        const Tensor& tensor = program.at(id);
        if (tensor.op != TensorOp::Input) {
            continue;
        }
        Values& values = inputs[id];
        for (std::int64_t k = graph::elementCount(tensor.fullShape); k > 0; --k) {
            if (tensor.parameters.limit > 0) {
                values.emplace_back(double(std::int64_t(random()) % tensor.parameters.limit));
            } else if (tensor.dtype == graph::DType::C64) {
                const double real = uniform();
                values.emplace_back(real, uniform());
            } else {
                values.emplace_back(uniform());
            }
        }
    }
    return inputs;
}

} // namespace doppler::tests
