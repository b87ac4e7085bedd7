#include "tests/support/SameGraph.h"

#include <algorithm>

namespace doppler::tests {

namespace {

using graph::Graph;

template <typename A, typename B>
bool same(const A& a, const B& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::string groupName(const Graph& graph, OpId op) {
    return graph.group(op) < 0 ? std::string()
                               : graph.groupNames()[static_cast<std::size_t>(graph.group(op))];
}

std::string opDifference(const Graph& a, const Graph& b, OpId op) {
    const auto sameUse = [](const graph::Use& x, const graph::Use& y) {
        return x.source == y.source && x.operand == y.operand && x.fromInput == y.fromInput;
    };
    const auto usesA = a.uses(op);
    const auto usesB = b.uses(op);
    const std::pair<const char*, bool> facts[] = {
        {"name", a.opName(op) == b.opName(op) && a.hasOwnName(op) == b.hasOwnName(op)},
        {"kind", a.kind(op) == b.kind(op) && a.kindName(op) == b.kindName(op)},
        {"shape", same(a.shape(op), b.shape(op)) && a.dtype(op) == b.dtype(op)},
        {"output bytes", a.outputBytes(op) == b.outputBytes(op)},
        {"FLOPs", a.flops(op) == b.flops(op)},
        {"bytes touched", a.bytesTouched(op) == b.bytesTouched(op)},
        {"estimate", a.costEstimated(op) == b.costEstimated(op)},
        {"pin", a.pinnedDevice(op) == b.pinnedDevice(op)},
        {"group", groupName(a, op) == groupName(b, op)},
        {"detail", a.detail(op) == b.detail(op)},
        {"file costs", !a.hasFileCosts() || (a.fileCompute(op) == b.fileCompute(op) &&
                                             a.fileTransfer(op) == b.fileTransfer(op))},
        {"in-edges", same(a.inEdges(op), b.inEdges(op))},
        {"uses", std::equal(usesA.begin(), usesA.end(), usesB.begin(), usesB.end(), sameUse)},
    };
    for (const auto& [what, equal] : facts) {
        if (!equal) {
            return std::string(what) + " of op " + std::to_string(op);
        }
    }
    return {};
}

std::string edgeDifference(const Graph& a, const Graph& b, EdgeId edge) {
    const bool equal = a.source(edge) == b.source(edge) && a.target(edge) == b.target(edge) &&
                       a.multiplicity(edge) == b.multiplicity(edge) &&
                       a.edgeBytes(edge) == b.edgeBytes(edge) &&
                       (!a.hasFileCosts() || a.edgeFileTransfer(edge) == b.edgeFileTransfer(edge));
    return equal ? std::string() : "edge " + std::to_string(edge);
}

bool sameInputs(const Graph& a, const Graph& b) {
    return std::equal(a.inputs().begin(), a.inputs().end(), b.inputs().begin(), b.inputs().end(),
                      [](const graph::GraphInput& x, const graph::GraphInput& y) {
                          return x.name == y.name && x.shape == y.shape && x.dtype == y.dtype &&
                                 x.bytes == y.bytes && x.weight == y.weight;
                      });
}

} // namespace

std::string firstDifference(const Graph& a, const Graph& b) {
    if (a.name() != b.name()) {
        return "name";
    }
    if (a.opCount() != b.opCount() || a.edgeCount() != b.edgeCount()) {
        return "size";
    }
    if (a.fileCostUnit() != b.fileCostUnit()) {
        return "cost unit";
    }
    if (!sameInputs(a, b)) {
        return "graph inputs";
    }
    if (a.outputs() != b.outputs()) {
        return "outputs";
    }
    for (OpId op = 0; op < a.opCount(); ++op) {
        if (std::string difference = opDifference(a, b, op); !difference.empty()) {
            return difference;
        }
    }
    for (EdgeId edge = 0; edge < a.edgeCount(); ++edge) {
        if (std::string difference = edgeDifference(a, b, edge); !difference.empty()) {
            return difference;
        }
    }
    return {};
}

} // namespace doppler::tests
