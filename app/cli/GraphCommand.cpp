#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/Output.h"
#include "app/cli/OutputFile.h"
#include "app/cli/ProblemOptions.h"
#include "app/cli/TraceFacts.h"
#include "app/cli/UsageError.h"
#include "core/cost/FormatQuantity.h"
#include "core/graph/Topology.h"
#include "core/io/Csv.h"
#include "core/io/Formats.h"
#include "core/io/LossNotes.h"

namespace doppler::cli {

namespace {

struct Options {
    std::string graph;
    OutputFile output;
    bool json = false;
};

constexpr std::size_t kShownUnusedOps = 5;

std::string convert(const graph::Graph& graph, const std::string& format) {
    if (format == "json") {
        return io::writeGraphJson(graph);
    }
    if (format == "txt") {
        return io::writeGraphText(graph);
    }
    if (format == "graphml") {
        return io::writeGraphMl(graph);
    }
    if (format == "csv") {
        return io::writeOpCsv(graph);
    }
    return io::writeDot(graph);
}

Json toJson(const io::ReadGraph& read, const graph::GraphFacts& facts) {
    Json json = {{"name", read.graph->name()},    {"format", read.format},
                 {"nodes", facts.nodes},          {"edges", facts.edges},
                 {"inputs", facts.inputs},        {"depth", facts.depth},
                 {"width", facts.width},          {"sources", facts.sources},
                 {"sinks", facts.sinks},          {"components", facts.components},
                 {"unused_ops", facts.unusedOps}, {"estimated_ops", facts.estimatedOps},
                 {"flops", facts.flops},          {"output_bytes", facts.outputBytes},
                 {"edge_bytes", facts.edgeBytes}, {"input_bytes", facts.inputBytes}};
    if (read.graph->hasFileCosts()) {
        json["published_compute"] = facts.fileCompute;
        json["published_transfer"] = facts.fileTransfer;
        json["unit"] = read.graph->fileCostUnit() == graph::FileCostUnit::Units ? "units" : "ns";
    }
    json["report"] = read.report.notes;
    return json;
}

std::string unusedOpNames(const graph::Graph& graph) {
    const std::vector<OpId> ops = graph::unusedOps(graph);
    std::string names;
    for (std::size_t i = 0; i < ops.size() && i < kShownUnusedOps; ++i) {
        names += (i == 0 ? "" : ", ") + graph.opName(ops[i]);
    }
    return names + (ops.size() > kShownUnusedOps ? ", ..." : "");
}

void printFacts(const io::ReadGraph& read, const graph::GraphFacts& facts) {
    const auto line = [](const std::string& label, const std::string& value) {
        std::cout << label << std::string(22 - label.size(), ' ') << value << '\n';
    };
    const graph::Graph& graph = *read.graph;
    line("graph", graph.name() + " (" + read.format + ")");
    line("nodes", cost::formatCount(facts.nodes));
    line("edges", cost::formatCount(facts.edges));
    line("inputs",
         cost::formatCount(facts.inputs) + " (" + cost::formatBytes(facts.inputBytes) + ")");
    line("depth", cost::formatCount(facts.depth));
    line("width", cost::formatCount(facts.width));
    line("sources, sinks",
         cost::formatCount(facts.sources) + ", " + cost::formatCount(facts.sinks));
    line("parts", cost::formatCount(facts.components));
    line("work", cost::formatFlops(facts.flops));
    line("results", cost::formatBytes(facts.outputBytes));
    line("over all edges", cost::formatBytes(facts.edgeBytes));
    if (graph.hasFileCosts()) {
        const cost::TimeUnit unit = graph.fileCostUnit() == graph::FileCostUnit::Units
                                        ? cost::TimeUnit::Units
                                        : cost::TimeUnit::Nanoseconds;
        line("published compute", cost::formatTime(facts.fileCompute, unit));
        line("published transfer", cost::formatTime(facts.fileTransfer, unit));
    }
    if (facts.estimatedOps > 0) {
        line("estimated costs", cost::formatCount(facts.estimatedOps) + " ops");
    }
    line("reach no output", facts.unusedOps == 0 ? "none"
                                                 : cost::formatCount(facts.unusedOps) +
                                                       " ops: " + unusedOpNames(graph));
}

int show(const Options& options) {
    const std::string format = options.output.prepare();
    if (const std::optional<io::ReadTrace> trace = openTrace(options.graph)) {
        if (options.output.wanted()) {
            throw UsageError(options.graph + " is a trace: it has no graph to write");
        }
        options.json ? printJson(traceJson(*trace)) : printTraceFacts(*trace);
        return kDone;
    }
    io::ReadGraph read = openGraph(options.graph);
    const std::string text = options.output.wanted() ? convert(*read.graph, format) : std::string();
    const std::vector<std::string> losses = io::lossNotes(*read.graph, format);
    for (const std::string& loss : losses) {
        read.report.notes.push_back(options.output.path + ": " + loss);
    }
    const graph::GraphFacts facts = graph::graphFacts(*read.graph);
    options.json ? printJson(toJson(read, facts)) : printFacts(read, facts);
    if (options.output.wanted()) {
        options.output.write(text);
        for (const std::string& loss : losses) {
            std::cerr << options.output.path << ": " << loss << '\n';
        }
    }
    return kDone;
}

} // namespace

void addGraphCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    CLI::App& command =
        addCommand(app, "graph", "Facts about a graph or a recorded trace; convert a graph",
                   "doppler graph chainmm:n=2000 -o chain.dot");
    addGraphArgument(command, options->graph);
    addOutputOption(command, options->output,
                    "Write the graph: own JSON, the paper's text, Graphviz DOT, GraphML, or a "
                    "table of the ops",
                    {"json", "txt", "dot", "graphml", "csv"});
    options->output.replaced = "GRAPH";
    addJsonFlag(command, options->json);
    command.callback([options, &run] { run = [options] { return show(*options); }; });
}

} // namespace doppler::cli
