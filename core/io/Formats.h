#pragma once

/// core/io: readers and writers, one file a format. Uses core/graph, core/cluster, core/cost and
/// core/sim. Readers throw InputError with the place of the fault; writers are atomic.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/Cluster.h"
#include "core/graph/Graph.h"
#include "core/sim/Problem.h"

namespace doppler::io {

/// What a reader merged, dropped, estimated or ignored: shown to the user, never silent.
struct ImportReport {
    std::vector<std::string> notes; ///< "3 duplicate edges merged"
};

struct ReadGraph {
    std::shared_ptr<const graph::Graph> graph;
    ImportReport report;
    std::string format; ///< "paper text", "doppler-graph/1", ...
};

/// Reads a whole file. Throws InputError if it cannot be opened or is larger than 2 GiB.
std::string readFile(const std::filesystem::path& path);

/// Writes through a temporary file and a rename, so that a reader never sees half of it.
/// Throws std::runtime_error with path and reason.
void writeFileAtomically(const std::filesystem::path& path, std::string_view text);

/// Opens a graph of any known format, told by its content, not its name.
ReadGraph readGraphFile(const std::filesystem::path& path);
/// The same from memory; `where` names the source in messages, and names the graph.
ReadGraph parseGraph(std::string_view text, const std::string& where);

/// The graph text of the DOPPLER paper's data: line 1 the number of nodes, line 2 the ids of the
/// graph inputs among them, lines 3 and 4 sources and targets of the edges (ids count ops only),
/// then a line "compute,transfer[,kind]" for each op. Costs are units without a physical meaning.
ReadGraph parseGraphText(std::string_view text, const std::string& where);
std::string writeGraphText(const graph::Graph& graph);

/// "format": "doppler-graph/1": "name", "inputs" [{name, shape, dtype, bytes, weight}], "ops"
/// [{name, kind, operator, shape, dtype, outputBytes, flops, bytesTouched, estimated, pin, group,
/// detail; compute and transfer if "costUnit" is "units", "ns" or "ns and bytes"}], "edges" in
/// order: [from, to], [from, to, operand] or {from or input, to, operand, bytes, transfer},
/// "outputs" [ops]. Ops are meant by number or unique name; everything but "ops" and "edges" may be
/// absent.
ReadGraph parseGraphJson(std::string_view text, const std::string& where);
std::string writeGraphJson(const graph::Graph& graph);

/// "format": "doppler-cluster/1": "name", "description", "devices" and "links".
/// A device is {name, model, flops {dtype: FLOP/s}, memoryBytesPerSecond, capacityBytes,
/// launchOverheadNs, slots, relativeSpeed}; with "count": n it stands for "<name> 0", "<name> 1"...
/// Links are rules, later ones replace earlier ones: {kind, bytesPerSecond, latencyNs,
/// relativeSpeed} for every pair, or only for those "among" a list of devices or in "pairs"
/// [[a, b]...] (both ways unless "oneWay"). Devices are meant by number or name.
std::shared_ptr<const cluster::Cluster> parseClusterJson(std::string_view text,
                                                         const std::string& where);
std::string writeClusterJson(const cluster::Cluster& cluster);

struct ClusterPreset {
    std::string name; ///< "p100x4", or "uniform:N"
    std::string description;
    bool parametric = false;
};

std::vector<ClusterPreset> clusterPresets();

/// A preset ("v100x8", "uniform:4", "cpu:2") or a file.
std::shared_ptr<const cluster::Cluster> openCluster(const std::string& text);

/// "format": "doppler-assignment/1": "assignment" is an array of devices by op id or an object
/// {op name: device}; devices are meant by number or name; "graph", "cluster" and "method" say
/// where it comes from. Also a bare object or array of that kind, the paper's comma list of device
/// numbers, an ONNX model with devices. Throws InputError for a wrong length, op or device.
sim::Assignment parseAssignment(std::string_view text, const std::string& where,
                                const graph::Graph& graph, const cluster::Cluster& cluster);
std::string writeAssignmentJson(const sim::Assignment& assignment, const graph::Graph& graph,
                                const cluster::Cluster& cluster, const std::string& method = {});
std::string writeAssignmentList(const sim::Assignment& assignment);

/// GraphML with what a schedule needs as data of nodes and edges; readable again.
std::string writeGraphMl(const graph::Graph& graph);

/// Graphviz DOT with the same data beside what is drawn; with an assignment, ops are coloured by
/// device.
std::string writeDot(const graph::Graph& graph, const sim::Assignment* assignment = nullptr);

} // namespace doppler::io
