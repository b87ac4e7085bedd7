#include "core/graph/GraphBuilder.h"

#include <string>

#include "core/graph/InputError.h"

namespace doppler::graph {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

std::string GraphBuilder::opLabel(OpId op) const {
    const OpSpec& spec = ops_[at(op)];
    if (!spec.name.empty()) {
        return "\"" + spec.name + "\"";
    }
    const std::string kind = spec.kindName.empty() ? std::string(name(spec.kind)) : spec.kindName;
    return "\"" + kind + " " + std::to_string(op) + "\"";
}

void GraphBuilder::checkValues() const {
    const auto opCount = static_cast<OpId>(ops_.size());
    const std::string range = opCount == 0 ? "no edges, for there are no ops"
                                           : "an op id from 0 to " + std::to_string(opCount - 1);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const EdgeSpec& edge = edges_[i];
        const std::string where = "edge " + std::to_string(i);
        for (const OpId end : {edge.source, edge.target}) {
            if (end < 0 || end >= opCount) {
                throw InputError(where, "op id " + std::to_string(end), range);
            }
        }
        if (edge.source == edge.target) {
            throw InputError(where, "an edge from op " + opLabel(edge.source) + " to itself",
                             "two different ops");
        }
        if (edge.bytes < -1 || edge.fileTransfer < -1) {
            throw InputError(where, "a negative size or cost", "0 or more");
        }
    }
    for (const InputUseSpec& use : inputUses_) {
        if (use.input < 0 || at(use.input) >= inputs_.size() || use.target < 0 ||
            use.target >= opCount) {
            throw InputError("use of graph input " + std::to_string(use.input) + " by op " +
                                 std::to_string(use.target),
                             "an id that does not exist", "known ids");
        }
    }
    for (const OpId op : outputs_) {
        if (op < 0 || op >= opCount) {
            throw InputError("outputs", "op id " + std::to_string(op), range);
        }
    }
    for (OpId op = 0; op < opCount; ++op) {
        const OpSpec& spec = ops_[at(op)];
        const auto requireNonNegative = [&](std::int64_t value, std::int64_t least,
                                            const char* what) {
            if (value < least) {
                throw InputError("op " + opLabel(op),
                                 std::string(what) + " " + std::to_string(value), "0 or more");
            }
        };
        requireNonNegative(spec.outputBytes, -1, "output bytes");
        requireNonNegative(spec.bytesTouched, -1, "bytes touched");
        requireNonNegative(spec.flops, 0, "FLOPs");
        requireNonNegative(spec.fileCompute, 0, "compute cost");
        requireNonNegative(spec.fileTransfer, 0, "transfer cost");
        requireNonNegative(spec.pinnedDevice, kNoDevice, "pinned device");
        for (const std::int64_t dimension : spec.shape) {
            requireNonNegative(dimension, 0, "dimension");
        }
    }
    for (const GraphInput& input : inputs_) {
        if (input.bytes < 0) {
            throw InputError("graph input \"" + input.name + "\"",
                             std::to_string(input.bytes) + " bytes", "0 or more");
        }
    }
}

} // namespace doppler::graph
