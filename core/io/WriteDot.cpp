#include <array>

#include "core/io/AttributeGraph.h"
#include "core/io/Formats.h"
#include "core/io/MessageText.h"

namespace doppler::io {

using graph::Graph;
using graph::OpFamily;

namespace {

struct DeviceStyle {
    std::string_view fill;
    std::string_view text;
};
// Okabe-Ito for the first eight devices, then Tol's muted set: the colours of the window.
constexpr std::array<DeviceStyle, 16> kDevices{{
    {"#0072B2", "white"},
    {"#E69F00", "#14171D"},
    {"#009E73", "#14171D"},
    {"#CC79A7", "#14171D"},
    {"#56B4E9", "#14171D"},
    {"#D55E00", "#14171D"},
    {"#F0E442", "#14171D"},
    {"#2B2B2B", "white"},
    {"#88CCEE", "#14171D"},
    {"#44AA99", "#14171D"},
    {"#117733", "white"},
    {"#332288", "white"},
    {"#DDCC77", "#14171D"},
    {"#999933", "#14171D"},
    {"#CC6677", "#14171D"},
    {"#882255", "white"},
}};

std::string_view shapeOf(OpFamily family) {
    switch (family) {
    case OpFamily::Contraction:
        return "shape=box, style=\"filled\"";
    case OpFamily::Formation:
        return "shape=invhouse, style=\"filled\"";
    case OpFamily::Elementwise:
        return "shape=box, style=\"filled,rounded\"";
    case OpFamily::DataMovement:
        return "shape=parallelogram, style=\"filled\"";
    }
    return "";
}

/// A DOT string; `\l`, `\N` and the like lose their meaning, line breaks become `\n`.
std::string dotString(std::string_view text) {
    std::string result = "\"";
    for (const char c : toUtf8(text)) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        if (c == '\n') {
            result += "\\n";
        } else if (static_cast<unsigned char>(c) >= ' ' || c == '\t') {
            result += c;
        }
    }
    return result + "\"";
}

/// "A".."Z", "AA"...: the letter that stands for a device where colours repeat.
std::string letterOf(DeviceId device) {
    constexpr DeviceId kLetters = 26;
    std::string letters(1, static_cast<char>('A' + device % kLetters));
    return device < kLetters ? letters : letterOf(device / kLetters - 1) + letters;
}

/// What a reader needs, after what Graphviz draws. "group" means something else there.
std::string dataAttributes(const Attributes& attributes) {
    std::string text;
    for (const auto& [key, value] : attributes) {
        text += ", " + (key == "group" ? "opGroup" : key) + "=" + dotString(value);
    }
    return text;
}

std::string nodeAttributes(const Graph& graph, OpId op, const sim::Assignment* assignment) {
    std::string label = graph.opName(op);
    std::string colours = ", fillcolor=\"#E8EBF0\"";
    if (assignment != nullptr) {
        const DeviceId device = (*assignment)[static_cast<std::size_t>(op)];
        const DeviceStyle& style = kDevices[static_cast<std::size_t>(device) % kDevices.size()];
        label += "\n" + letterOf(device);
        colours = ", fillcolor=\"" + std::string(style.fill) + "\", fontcolor=\"" +
                  std::string(style.text) + "\"";
    }
    return "label=" + dotString(label) + ", " +
           std::string(shapeOf(graph::family(graph.kind(op)))) + colours +
           // Or a reader would take a label that is not the name for one.
           (assignment != nullptr && graph.detail(op).empty() ? ", detail=\"\"" : "");
}

std::string inputAttributes(const graph::GraphInput& input, const std::string& id) {
    return "label=" + dotString(input.name.empty() ? id : input.name) +
           ", shape=ellipse, style=dashed";
}

/// ", style=dashed, color=...", of an edge between devices.
std::string crossing(const EdgeEntry& entry, const sim::Assignment* assignment) {
    if (assignment == nullptr || entry.fromInput) {
        return "";
    }
    const DeviceId from = (*assignment)[static_cast<std::size_t>(entry.source)];
    if (from == (*assignment)[static_cast<std::size_t>(entry.target)]) {
        return "";
    }
    const DeviceStyle& style = kDevices[static_cast<std::size_t>(from) % kDevices.size()];
    return ", style=dashed, color=\"" + std::string(style.fill) + "\"";
}

} // namespace

std::string writeDot(const Graph& graph, const sim::Assignment* assignment) {
    const std::vector<EdgeEntry> entries = edgesInBuildOrder(graph);
    const AttributeGraph data = exportAttributes(graph, entries);
    std::string text = "digraph " + dotString(graph.name()) + " {\n";
    for (const auto& [key, value] : data.attributes) {
        text += "  " + key + "=" + dotString(value) + ";\n";
    }
    const auto opCount = static_cast<std::size_t>(graph.opCount());
    for (std::size_t i = 0; i < data.nodes.size(); ++i) {
        const AttributeNode& node = data.nodes[i];
        const std::string drawn = i < opCount
                                      ? nodeAttributes(graph, static_cast<OpId>(i), assignment)
                                      : inputAttributes(graph.inputs()[i - opCount], node.id);
        text += "  " + node.id + " [" + drawn + dataAttributes(node.attributes) + "];\n";
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const AttributeEdge& edge = data.edges[i];
        const std::string attributes =
            crossing(entries[i], assignment) + dataAttributes(edge.attributes);
        text += "  " + edge.from + " -> " + edge.to +
                (attributes.empty() ? "" : " [" + attributes.substr(2) + "]") + ";\n";
    }
    return text + "}\n";
}

} // namespace doppler::io
