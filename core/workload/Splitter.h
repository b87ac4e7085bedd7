#pragma once

#include <memory>
#include <vector>

#include "core/graph/Graph.h"
#include "core/workload/Region.h"
#include "core/workload/TensorProgram.h"

namespace doppler::workload {

/// One block of one tensor.
struct BlockInfo {
    TensorId tensor = 0;
    std::vector<std::int64_t> index; ///< per dimension of the join shape
    Region join;                     ///< what it covers of the join shape
    std::vector<Region> operands;    ///< what it reads of each operand, in the operand's indices
    OpId op = kNoOp;                 ///< of the graph; kNoOp for inputs
    InputId input = -1;              ///< of the graph; -1 for ops

    /// What it covers of the tensor; several partial results may cover the same.
    Region output(const TensorProgram& program) const {
        return {join.begin(), join.begin() + program.at(tensor).outputRank};
    }
};

/// A tensor program cut into blocks, with the graph of the blocks: all that it takes to run them.
struct SplitProgram {
    TensorProgram program;
    /// Blocks of all tensors in program order, inputs included, last dimension fastest.
    std::vector<BlockInfo> blocks;
    std::vector<std::size_t> firstBlock; ///< of each tensor; one past the last at the end
    std::vector<std::size_t> blockOfOp;
    std::vector<std::size_t> blockOfInput;
    /// Op ids count the blocks that are not inputs, in order.
    std::shared_ptr<const graph::Graph> graph;

    const BlockInfo& ofOp(OpId op) const { return blocks[blockOfOp[static_cast<std::size_t>(op)]]; }
    const BlockInfo& ofInput(InputId input) const {
        return blocks[blockOfInput[static_cast<std::size_t>(input)]];
    }
};

/// Cuts every tensor by its partition. A block has an edge from every block of an operand, partial
/// results included, that overlaps what it reads: nothing is inserted where partitions differ, the
/// consumer assembles its operand.
std::shared_ptr<const SplitProgram> split(TensorProgram program);

} // namespace doppler::workload
