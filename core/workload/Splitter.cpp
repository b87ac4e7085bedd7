#include "core/workload/Splitter.h"

#include "core/graph/GraphBuilder.h"
#include "core/workload/OperandMap.h"

namespace doppler::workload {

namespace {

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

/// Parts of a dimension that overlap `read`.
Interval overlappingParts(std::int64_t size, std::int64_t ways, const Interval& read) {
    if (read.empty()) {
        return {};
    }
    std::int64_t begin = read.begin * ways / size;
    while (part(size, ways, begin).end <= read.begin) {
        ++begin;
    }
    std::int64_t end = begin + 1;
    while (end < ways && part(size, ways, end).begin < read.end) {
        ++end;
    }
    return {begin, end};
}

std::string joined(const std::vector<std::int64_t>& index) {
    std::string text;
    for (const std::int64_t i : index) {
        text += (text.empty() ? "" : ",") + std::to_string(i);
    }
    return text;
}

class Splitter {
public:
    explicit Splitter(TensorProgram program)
        : builder_(program.name), split_(std::make_shared<SplitProgram>()) {
        split_->program = std::move(program);
        if (split_->program.publishedCosts) {
            builder_.setFileCostUnit(graph::FileCostUnit::Units);
        }
    }

    std::shared_ptr<const SplitProgram> run() {
        const std::vector<Tensor>& tensors = split_->program.tensors;
        for (TensorId id = 0; at(id) < tensors.size(); ++id) {
            split_->firstBlock.push_back(split_->blocks.size());
            addBlocks(id);
        }
        split_->firstBlock.push_back(split_->blocks.size());
        split_->graph = builder_.build();
        return split_;
    }

private:
    void addBlocks(TensorId id) {
        const Tensor& tensor = split_->program.at(id);
        std::vector<OperandMap> maps;
        for (std::size_t k = 0; k < tensor.operands.size(); ++k) {
            maps.push_back(operandMap(split_->program, tensor, k));
        }
        Region parts;
        for (const std::int64_t ways : tensor.partition) {
            parts.push_back({0, ways});
        }
        forEachIndex(parts, [&](const std::vector<std::int64_t>& index) {
            BlockInfo block{.tensor = id, .index = index};
            for (std::size_t d = 0; d < index.size(); ++d) {
                block.join.push_back(part(tensor.fullShape[d], tensor.partition[d], index[d]));
            }
            for (std::size_t k = 0; k < maps.size(); ++k) {
                block.operands.push_back(readRegion(
                    maps[k], block.join, split_->program.at(tensor.operands[k]).outputShape()));
            }
            if (tensor.op == TensorOp::Input) {
                addInput(tensor, block);
            } else {
                addOp(tensor, block);
            }
            split_->blocks.push_back(std::move(block));
        });
    }

    graph::Shape outputShape(const BlockInfo& block) const {
        graph::Shape shape;
        for (const Interval& interval : block.output(split_->program)) {
            shape.push_back(interval.size());
        }
        return shape;
    }

    std::string nameOf(const std::string& role, const Tensor& tensor,
                       const BlockInfo& block) const {
        return tensor.blockCount() == 1 ? role : role + ", block " + joined(block.index);
    }

    void addInput(const Tensor& tensor, BlockInfo& block) {
        graph::Shape shape = outputShape(block);
        const std::int64_t bytes = graph::elementCount(shape) * graph::elementBytes(tensor.dtype);
        block.input = builder_.addInput({.name = nameOf(tensor.role, tensor, block),
                                         .shape = std::move(shape),
                                         .dtype = tensor.dtype,
                                         .bytes = bytes,
                                         .weight = tensor.weight});
        split_->blockOfInput.push_back(split_->blocks.size());
    }

    void addOp(const Tensor& tensor, BlockInfo& block) {
        block.op = static_cast<OpId>(split_->blockOfOp.size());
        graph::OpSpec spec{.name = label(tensor) + " " + std::to_string(block.op),
                           .kind = tensor.kind,
                           .kindName = tensor.opName(),
                           .shape = outputShape(block),
                           .dtype = tensor.dtype,
                           .flops = tensor.flops(elementCount(block.join)),
                           .group = tensor.group,
                           .detail = nameOf(tensor.role, tensor, block)};
        spec.outputBytes = graph::elementCount(spec.shape) * graph::elementBytes(tensor.dtype);
        spec.bytesTouched = spec.outputBytes + connect(tensor, block);
        if (split_->program.publishedCosts) {
            // The paper's numbers: the whole operation's, on each of its blocks.
            spec.fileCompute = graph::elementCount(tensor.fullShape);
            spec.fileTransfer = 4 * spec.fileCompute;
        }
        builder_.addOp(std::move(spec));
        split_->blockOfOp.push_back(split_->blocks.size());
        if (tensor.result) {
            builder_.markOutput(block.op);
        }
    }

    static std::string label(const Tensor& tensor) {
        if (tensor.op == TensorOp::Formation && tensor.parameters.combine == Combine::Max) {
            return "max";
        }
        return std::string(facts(tensor.op).label);
    }

    /// Adds the edges into a block; returns the bytes that it reads.
    std::int64_t connect(const Tensor& tensor, const BlockInfo& block) {
        std::int64_t bytes = 0;
        for (std::size_t k = 0; k < tensor.operands.size(); ++k) {
            const TensorId sourceId = tensor.operands[k];
            const Tensor& source = split_->program.at(sourceId);
            const Region& read = block.operands[k];
            Region sources;
            for (std::size_t d = 0; d < source.partition.size(); ++d) {
                const bool summed = d >= read.size();
                sources.push_back(
                    summed ? Interval{0, source.partition[d]}
                           : overlappingParts(source.fullShape[d], source.partition[d], read[d]));
            }
            bytes += elementCount(read) * source.partialCount() * graph::elementBytes(source.dtype);
            forEachIndex(sources, [&](const std::vector<std::int64_t>& index) {
                std::int64_t number = 0;
                for (std::size_t d = 0; d < index.size(); ++d) {
                    number = number * source.partition[d] + index[d];
                }
                const BlockInfo& producer =
                    split_->blocks[split_->firstBlock[at(sourceId)] + at(number)];
                const auto operand = static_cast<std::int32_t>(k);
                if (producer.op == kNoOp) {
                    builder_.addInputUse(producer.input, block.op, operand);
                } else {
                    builder_.addEdge(producer.op, block.op, operand);
                }
            });
        }
        return bytes;
    }

    graph::GraphBuilder builder_;
    std::shared_ptr<SplitProgram> split_;
};

} // namespace

std::shared_ptr<const SplitProgram> split(TensorProgram program) {
    return Splitter(std::move(program)).run();
}

} // namespace doppler::workload
