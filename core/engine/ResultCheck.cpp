#include "core/engine/ResultCheck.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/engine/ElementValues.h"
#include "core/engine/Kernels.h"
#include "core/engine/RunPlan.h"
#include "core/engine/cpu/TorchKernels.h"

namespace doppler::engine {

namespace {

using namespace workload;

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

int partsOf(graph::DType dtype) {
    return dtype == graph::DType::C64 ? 2 : 1;
}

double neutral(Combine combine) {
    return combine == Combine::Sum ? 0 : -std::numeric_limits<double>::infinity();
}

/// Merges a block's values into its tensor's.
void merge(const TensorProgram& program, const BlockInfo& block, const std::vector<double>& values,
           std::vector<double>& whole) {
    const Tensor& tensor = program.at(block.tensor);
    const auto parts = at(partsOf(tensor.dtype));
    std::size_t i = 0;
    forEachIndex(block.output(program), [&](const std::vector<std::int64_t>& index) {
        std::size_t place = 0;
        for (std::size_t d = 0; d < index.size(); ++d) {
            place = place * at(tensor.fullShape[d]) + at(index[d]);
        }
        for (std::size_t part = 0; part < parts; ++part, ++i) {
            double& value = whole[place * parts + part];
            value = tensor.parameters.combine == Combine::Sum ? value + values[i]
                                                              : std::max(value, values[i]);
        }
    });
}

std::vector<double> emptyWhole(const Tensor& tensor) {
    const std::int64_t count = graph::elementCount(tensor.outputShape()) * partsOf(tensor.dtype);
    return std::vector<double>(at(count), neutral(tensor.parameters.combine));
}

double difference(double a, double b) {
    return a == b ? 0 : std::fabs(a - b); // equal infinities do not differ
}

} // namespace

std::shared_ptr<const SplitProgram> uncut(const TensorProgram& program) {
    TensorProgram whole = program;
    for (Tensor& tensor : whole.tensors) {
        tensor.partition.assign(tensor.partition.size(), 1);
    }
    return split(std::move(whole));
}

ResultCheck::ResultCheck(std::shared_ptr<const SplitProgram> split, std::uint64_t seed)
    : split_(std::move(split)) {
    for (TensorId id = 0; at(id) < split_->program.tensors.size(); ++id) {
        if (split_->program.at(id).result) {
            results_[id] = {.expected = {}, .actual = emptyWhole(split_->program.at(id))};
        }
    }
    computeWhole(seed);
}

void ResultCheck::computeWhole(std::uint64_t seed) {
    const auto whole = uncut(split_->program);
    const graph::Graph& graph = *whole->graph;
    const auto problem =
        sim::makeProblem(whole->graph, std::make_shared<cluster::Cluster>(cluster::cpuCluster(1)),
                         cost::CostModel::Physical, {});
    const sim::Assignment assignment(at(graph.opCount()), 0);
    const RunPlan plan(*problem, assignment);
    const std::unique_ptr<Kernels> kernels = makeTorchKernels(whole, seed);
    kernels->prepare(*problem, assignment, 1);

    std::vector<std::vector<std::byte>> outputs(at(graph.opCount()));
    std::vector<std::int32_t> users = plan.users;
    std::vector<Buffer> operands;
    for (const OpId op : graph.topologicalOrder()) {
        const auto bufferOf = [&](OpId of) {
            return Buffer{.data = outputs[at(of)].data(),
                          .bytes = static_cast<std::int64_t>(outputs[at(of)].size()),
                          .device = 0};
        };
        outputs[at(op)].resize(at(graph.outputBytes(op)));
        operands.clear();
        for (std::int32_t k = plan.firstOperand[at(op)]; k < plan.firstOperand[at(op) + 1]; ++k) {
            const OperandPlace& place = plan.operands[at(k)];
            operands.push_back(place.kind == OperandPlace::Kind::Input ? Buffer{}
                                                                       : bufferOf(place.id));
        }
        kernels->run({.op = op, .device = 0, .output = bufferOf(op), .operands = operands}, 0);
        const TensorId tensor = whole->ofOp(op).tensor;
        if (const auto result = results_.find(tensor); result != results_.end()) {
            const Tensor& row = whole->program.at(tensor);
            result->second.expected = readElements(row.dtype, outputs[at(op)].data(),
                                                   graph::elementCount(row.outputShape()));
        }
        for (const EdgeId edge : graph.inEdges(op)) {
            if (--users[at(graph.source(edge))] == 0) {
                outputs[at(graph.source(edge))] = {};
            }
        }
    }
}

void ResultCheck::add(OpId op, const std::vector<std::byte>& output) {
    const BlockInfo& block = split_->ofOp(op);
    const auto result = results_.find(block.tensor);
    if (result == results_.end()) {
        return;
    }
    const std::int64_t count = elementCount(block.output(split_->program));
    const graph::DType dtype = split_->program.at(block.tensor).dtype;
    if (output.size() != at(count * graph::elementBytes(dtype))) {
        throw std::runtime_error("the output of op " + split_->graph->opName(op) +
                                 " could not be read");
    }
    merge(split_->program, block, readElements(dtype, output.data(), count), result->second.actual);
    ++result->second.blocks;
}

double ResultCheck::relativeError() {
    double worst = 0;
    for (auto& [id, result] : results_) {
        const Tensor& tensor = split_->program.at(id);
        if (result.blocks != tensor.blockCount()) {
            throw std::runtime_error("result \"" + tensor.role +
                                     "\" is not complete: " + std::to_string(result.blocks) +
                                     " of " + std::to_string(tensor.blockCount()) + " blocks");
        }
        double error = 0;
        double scale = 0;
        bool sound = true;
        for (std::size_t i = 0; i < result.expected.size(); ++i) {
            const double off = difference(result.actual[i], result.expected[i]);
            sound = sound && !std::isnan(off);
            error = std::max(error, off);
            if (std::isfinite(result.expected[i])) {
                scale = std::max(scale, std::fabs(result.expected[i]));
            }
        }
        error = !sound      ? std::numeric_limits<double>::infinity()
                : scale > 0 ? error / scale
                            : error;
        worst = std::max(worst, error);
        result.actual = emptyWhole(tensor);
        result.blocks = 0;
    }
    return worst;
}

} // namespace doppler::engine
