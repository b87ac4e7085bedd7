#include <algorithm>
#include <limits>
#include <numeric>

#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/LineScanner.h"
#include "core/io/MessageText.h"
#include "core/io/TaskGraph.h"

// The graph text of the DOPPLER paper:
//   line 1: number of nodes, graph inputs included
//   line 2: ids of the graph inputs among all nodes, comma-separated
//   line 3: sources of the edges, comma-separated; ids count ops only, in the order of the lines
//   line 4: targets of the edges, as many
//   then one line an op: compute cost, transfer cost[, kind]

namespace doppler::io {

using graph::FileCostUnit;
using graph::GraphBuilder;
using graph::OpKind;
using graph::OpSpec;

namespace {

constexpr std::int64_t kLargestCost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostNodes = std::numeric_limits<std::int32_t>::max();
constexpr std::string_view kInputName = "input ";
constexpr std::string_view kUntyped = "op";
constexpr std::string_view kEinsum = "einsummable";

struct KindWord {
    std::string_view word;
    OpKind kind;
};
constexpr KindWord kWords[] = {{"formation", OpKind::Formation}, {"complexer", OpKind::Reshape},
                               {"squeezer", OpKind::Reshape},    {"select", OpKind::Select},
                               {"fill", OpKind::Fill},           {"concat", OpKind::Concat},
                               {kEinsum, OpKind::Elementwise},   {kUntyped, OpKind::Other}};

OpKind kindOfWord(std::string_view word) {
    for (const KindWord& entry : kWords) {
        if (entry.word == word) {
            return entry.kind;
        }
    }
    return graph::opKindFromName(word).value_or(OpKind::Other);
}

struct TextGraph {
    std::int64_t nodeCount = 0;
    std::vector<std::int64_t> inputs;
    std::vector<OpId> sources;
    std::vector<OpId> targets;
    std::vector<OpSpec> ops;
};

void requireLine(LineScanner& lines, const std::string& what) {
    if (!lines.next()) {
        throw InputError(lines.place(), "the end of the text", what + " on the next line");
    }
}

std::vector<OpId> readIds(const LineScanner& lines, const char* what) {
    std::vector<OpId> ids;
    for (const std::string_view field : lines.fields()) {
        ids.push_back(static_cast<OpId>(lines.integer(field, what, kMostNodes)));
    }
    return ids;
}

OpSpec readOp(const LineScanner& lines) {
    const std::vector<std::string_view> fields = lines.fields();
    if (fields.size() < 2 || fields.size() > 3) {
        throw InputError(lines.place(),
                         lines.line().empty() ? "an empty line" : quotedText(lines.line()),
                         "\"compute,transfer\" or \"compute,transfer,kind\"");
    }
    OpSpec spec;
    spec.fileCompute = lines.integer(fields[0], "compute cost", kLargestCost);
    spec.fileTransfer = lines.integer(fields[1], "transfer cost", kLargestCost);
    spec.kindName = toUtf8(fields.size() == 3 ? fields[2] : kUntyped);
    spec.kind = kindOfWord(spec.kindName);
    return spec;
}

void readEdges(LineScanner& lines, TextGraph& text, std::string& sourcesPlace) {
    requireLine(lines, "the sources of the edges");
    text.sources = readIds(lines, "source");
    sourcesPlace = lines.place();
    requireLine(lines, "the targets of the edges");
    text.targets = readIds(lines, "target");
    if (text.sources.size() != text.targets.size()) {
        throw InputError(lines.place(), std::to_string(text.targets.size()) + " targets",
                         std::to_string(text.sources.size()) + " (one for each source)");
    }
}

void checkEdgeEnds(const std::vector<OpId>& ids, std::size_t opCount, const std::string& place,
                   const char* what) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (static_cast<std::size_t>(ids[i]) >= opCount) {
            throw InputError(
                place,
                std::string(what) + " " + std::to_string(ids[i]) + " of edge " + std::to_string(i),
                "an op id below " + std::to_string(opCount) + " (one for each cost line)");
        }
    }
}

TextGraph readText(std::string_view source, const std::string& where) {
    TextGraph text;
    LineScanner lines(source, where);
    if (!lines.next()) {
        throw InputError(where, "an empty text", "a graph: the number of nodes on line 1");
    }
    text.nodeCount = lines.integer(lines.line(), "node count", kMostNodes);
    requireLine(lines, "the ids of the graph inputs");
    for (const std::string_view field : lines.fields()) {
        text.inputs.push_back(lines.integer(field, "graph input", text.nodeCount - 1));
    }
    std::vector<std::int64_t> sorted = text.inputs;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
        twice != sorted.end()) {
        throw InputError(lines.place(), "graph input " + std::to_string(*twice) + " twice",
                         "each id once");
    }
    std::string sourcesPlace;
    readEdges(lines, text, sourcesPlace);
    const std::string targetsPlace = lines.place();

    const std::int64_t opCount = text.nodeCount - static_cast<std::int64_t>(text.inputs.size());
    if (opCount < 0) {
        throw InputError(where + ", line 2", std::to_string(text.inputs.size()) + " graph inputs",
                         "at most the " + std::to_string(text.nodeCount) + " nodes of line 1");
    }
    while (static_cast<std::int64_t>(text.ops.size()) < opCount) {
        if (!lines.next()) {
            throw InputError(
                lines.place(),
                "the end of the text after " + std::to_string(text.ops.size()) + " cost lines",
                std::to_string(opCount) + " (" + std::to_string(text.nodeCount) + " nodes less " +
                    std::to_string(text.inputs.size()) + " graph inputs)");
        }
        text.ops.push_back(readOp(lines));
    }
    while (lines.next()) {
        if (!lines.line().empty()) {
            throw InputError(lines.place(), quotedText(lines.line()),
                             "nothing after the " + std::to_string(opCount) + " cost lines");
        }
    }
    checkEdgeEnds(text.sources, text.ops.size(), sourcesPlace, "source");
    checkEdgeEnds(text.targets, text.ops.size(), targetsPlace, "target");
    return text;
}

// The files call every tensor expression "einsummable". What it is shows in its place: partial
// results are always merged by a formation, also where nothing was split; a contraction's join has
// more elements than any operand (costs are these counts), a reduction's has as many as its
// operand. Everything else is elementwise. True for every op of the published graphs.
void tellEinsumsApart(TextGraph& text) {
    std::vector<bool> feedsFormation(text.ops.size(), false);
    std::vector<std::int64_t> largestOperand(text.ops.size(), -1);
    for (std::size_t i = 0; i < text.sources.size(); ++i) {
        const auto source = static_cast<std::size_t>(text.sources[i]);
        const auto target = static_cast<std::size_t>(text.targets[i]);
        if (text.ops[target].kind == OpKind::Formation) {
            feedsFormation[source] = true;
        }
        largestOperand[target] = std::max(largestOperand[target], text.ops[source].fileCompute);
    }
    for (std::size_t i = 0; i < text.ops.size(); ++i) {
        if (text.ops[i].kindName == kEinsum && feedsFormation[i]) {
            text.ops[i].kind = largestOperand[i] < text.ops[i].fileCompute ? OpKind::Contraction
                                                                           : OpKind::Reduction;
        }
    }
}

/// The id that a graph input has among all nodes of a text, or -1 if its name holds none.
std::int64_t idOfInput(const graph::GraphInput& input, std::int64_t nodeCount) {
    const std::string_view name = input.name;
    if (!name.starts_with(kInputName) || name.size() > kInputName.size() + 10) {
        return -1;
    }
    std::int64_t id = 0;
    for (const char digit : name.substr(kInputName.size())) {
        if (digit < '0' || digit > '9') {
            return -1;
        }
        id = id * 10 + (digit - '0');
    }
    return id < nodeCount ? id : -1;
}

std::vector<std::int64_t> inputIds(const graph::Graph& graph) {
    std::vector<std::int64_t> ids;
    for (const graph::GraphInput& input : graph.inputs()) {
        ids.push_back(idOfInput(input, std::int64_t{graph.opCount()} + graph.inputCount()));
    }
    std::vector<std::int64_t> sorted = ids;
    std::sort(sorted.begin(), sorted.end());
    const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    if (!sorted.empty() && (!distinct || sorted.front() < 0)) {
        std::iota(ids.begin(), ids.end(), 0);
    }
    return ids;
}

} // namespace

ReadGraph parseGraphText(std::string_view text, const std::string& where) {
    TextGraph read = readText(text, where);
    tellEinsumsApart(read);
    GraphBuilder builder(std::filesystem::path(where).stem().string());
    builder.setFileCostUnit(FileCostUnit::Units);
    builder.reserve(static_cast<int>(read.ops.size()), static_cast<int>(read.sources.size()));
    for (const std::int64_t id : read.inputs) {
        builder.addInput({.name = std::string(kInputName) + std::to_string(id)});
    }
    for (OpSpec& op : read.ops) {
        builder.addOp(std::move(op));
    }
    for (std::size_t i = 0; i < read.sources.size(); ++i) {
        builder.addEdge(read.sources[i], read.targets[i]);
    }
    ReadGraph result;
    try {
        result.graph = builder.build();
    } catch (const InputError& error) {
        throw InputError(where + ", lines 3 and 4: " + error.what());
    }
    result.format = "paper text";
    if (builder.mergedEdges() > 0) {
        result.report.notes.push_back(
            countNote(static_cast<std::size_t>(builder.mergedEdges()), "duplicate edge", "merged"));
    }
    return result;
}

std::string writeGraphText(const graph::Graph& graph) {
    if (!graph.hasFileCosts()) {
        throw InputError("graph \"" + graph.name() + "\"", "no costs of its own",
                         "published costs, which this format consists of");
    }
    const auto joined = [](std::size_t count, auto value) {
        std::string line;
        for (std::size_t i = 0; i < count; ++i) {
            line += (i == 0 ? "" : ", ") + std::to_string(value(i));
        }
        return line + "\n";
    };
    std::vector<OpId> sources;
    std::vector<OpId> targets;
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        for (int i = 0; i < graph.multiplicity(edge); ++i) {
            sources.push_back(graph.source(edge));
            targets.push_back(graph.target(edge));
        }
    }
    const std::vector<std::int64_t> inputs = inputIds(graph);
    std::string text = std::to_string(graph.opCount() + graph.inputCount()) + "\n";
    text += joined(inputs.size(), [&](std::size_t i) { return inputs[i]; });
    text += joined(sources.size(), [&](std::size_t i) { return sources[i]; });
    text += joined(targets.size(), [&](std::size_t i) { return targets[i]; });
    bool typed = false;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        typed = typed || graph.kindName(op) != kUntyped;
    }
    for (OpId op = 0; op < graph.opCount(); ++op) {
        text +=
            std::to_string(graph.fileCompute(op)) + "," + std::to_string(graph.fileTransfer(op));
        if (typed) {
            std::string kind(graph.kindName(op));
            std::replace_if(
                kind.begin(), kind.end(), [](char c) { return c == ',' || c == '\n'; }, '_');
            text += "," + kind;
        }
        text += "\n";
    }
    return text;
}

} // namespace doppler::io
