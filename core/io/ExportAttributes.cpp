#include <algorithm>

#include "core/io/AttributeGraph.h"
#include "core/io/GraphJson.h"

namespace doppler::io {

using graph::Graph;

namespace {

std::string shapeText(std::span<const std::int64_t> shape) {
    std::string text;
    for (const std::int64_t dimension : shape) {
        text += (text.empty() ? "[" : ", ") + std::to_string(dimension);
    }
    return text + "]";
}

void addTensor(Attributes& attributes, std::span<const std::int64_t> shape, graph::DType dtype,
               std::int64_t bytes) {
    attributes.emplace_back("outputBytes", std::to_string(bytes));
    if (dtype != graph::DType::Unknown) {
        attributes.emplace_back("dtype", std::string(graph::name(dtype)));
    }
    if (!shape.empty()) {
        attributes.emplace_back("tensorShape", shapeText(shape));
    }
}

AttributeNode opNode(const Graph& graph, OpId op) {
    AttributeNode node{std::to_string(op), {}, {}};
    const auto add = [&](const char* key, std::string value) {
        node.attributes.emplace_back(key, std::move(value));
    };
    add("name", graph.opName(op));
    if (!graph.hasOwnName(op)) {
        add("isNamed", "false");
    }
    add("kind", std::string(graph::name(graph.kind(op))));
    add("operator", std::string(graph.kindName(op)));
    add("flops", std::to_string(graph.flops(op)));
    addTensor(node.attributes, graph.shape(op), graph.dtype(op), graph.outputBytes(op));
    add("bytesTouched", std::to_string(graph.bytesTouched(op)));
    if (graph.hasFileCosts()) {
        add("compute", std::to_string(graph.fileCompute(op)));
        add("transfer", std::to_string(graph.fileTransfer(op)));
    }
    if (graph.group(op) >= 0) {
        add("group", graph.groupNames()[static_cast<std::size_t>(graph.group(op))]);
    }
    if (!graph.detail(op).empty()) {
        add("detail", std::string(graph.detail(op)));
    }
    if (graph.costEstimated(op)) {
        add("estimated", "true");
    }
    if (graph.pinnedDevice(op) != kNoDevice) {
        add("pinnedDevice", std::to_string(graph.pinnedDevice(op)));
    }
    if (std::binary_search(graph.outputs().begin(), graph.outputs().end(), op)) {
        add("isOutput", "true");
    }
    return node;
}

AttributeNode inputNode(const graph::GraphInput& input, InputId id) {
    AttributeNode node{inputNodeId(id), {}, {{"name", input.name}, {"isInput", "true"}}};
    if (input.weight) {
        node.attributes.emplace_back("isWeight", "true");
    }
    addTensor(node.attributes, input.shape, input.dtype, input.bytes);
    return node;
}

AttributeEdge exportedEdge(const Graph& graph, const EdgeEntry& entry) {
    AttributeEdge edge{entry.fromInput ? inputNodeId(entry.source) : std::to_string(entry.source),
                       std::to_string(entry.target),
                       {}};
    const auto add = [&](const char* key, std::int64_t value) {
        edge.attributes.emplace_back(key, std::to_string(value));
    };
    if (entry.operand >= 0) {
        add("operand", entry.operand);
    }
    // Parallel edges were added up: the first one carries the sum.
    if (!entry.fromInput && graph.hasEdgeBytes()) {
        add("bytes", entry.repeated ? 0 : graph.edgeBytes(entry.edge));
    }
    if (!entry.fromInput && graph.hasEdgeFileTransfer()) {
        add("transfer", entry.repeated ? 0 : graph.edgeFileTransfer(entry.edge));
    }
    return edge;
}

} // namespace

std::string inputNodeId(InputId input) {
    return "i" + std::to_string(input);
}

AttributeGraph exportAttributes(const Graph& graph, const std::vector<EdgeEntry>& entries) {
    AttributeGraph result;
    result.name = graph.name();
    for (const auto& [unit, word] : kCostUnits) {
        if (unit == graph.fileCostUnit()) {
            result.attributes.emplace_back("costUnit", word);
        }
    }
    for (OpId op = 0; op < graph.opCount(); ++op) {
        result.nodes.push_back(opNode(graph, op));
    }
    for (InputId input = 0; input < graph.inputCount(); ++input) {
        result.nodes.push_back(inputNode(graph.inputs()[static_cast<std::size_t>(input)], input));
    }
    for (const EdgeEntry& entry : entries) {
        result.edges.push_back(exportedEdge(graph, entry));
    }
    return result;
}

} // namespace doppler::io
