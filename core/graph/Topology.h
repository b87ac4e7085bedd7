#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/Graph.h"

namespace doppler::graph {

/// Facts about a whole graph, for reports.
struct GraphFacts {
    int nodes = 0;
    int edges = 0;
    int inputs = 0;
    int depth = 0;      ///< ops on the longest path (0 for an empty graph)
    int width = 0;      ///< most ops on one level
    int sources = 0;    ///< ops without a producer
    int sinks = 0;      ///< ops without a consumer
    int components = 0; ///< weakly connected parts
    int unusedOps = 0;  ///< ops whose result reaches no output (see unusedOps())
    std::int64_t flops = 0;
    std::int64_t outputBytes = 0; ///< over all ops
    std::int64_t edgeBytes = 0;   ///< over all edges
    std::int64_t inputBytes = 0;
    std::int64_t fileCompute = 0;
    std::int64_t fileTransfer = 0; ///< over all edges
    int estimatedOps = 0;
};

GraphFacts graphFacts(const Graph& graph);

/// Level of each op: the number of ops on the longest path that ends in it, less one.
std::vector<std::int32_t> levels(const Graph& graph);

/// True for each op from which a path leads to `target` (the op itself included).
std::vector<bool> ancestors(const Graph& graph, OpId target);
std::vector<bool> descendants(const Graph& graph, OpId source);

/// Ops, ascending, from which no path leads to one of graph.outputs(); empty where the source
/// names no outputs (then every sink is one).
std::vector<OpId> unusedOps(const Graph& graph);

} // namespace doppler::graph
