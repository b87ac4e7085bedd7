#pragma once

#include <vector>

#include "core/graph/Graph.h"

namespace doppler::io {

/// One edge or use of a graph input, to be added to a GraphBuilder.
struct EdgeEntry {
    std::int32_t source = 0; ///< op, or graph input
    OpId target = kNoOp;
    std::int32_t operand = -1;
    bool fromInput = false;
    EdgeId edge = kNoEdge; ///< of an op's entry
    bool repeated = false; ///< the edge stood earlier in the list: its payload is already counted
};

/// The edges and input uses of a graph in an order in which GraphBuilder makes the same graph of
/// them again: order of edges within a producer, and of operands within a consumer. Operands are
/// left at -1 where the order alone tells them.
std::vector<EdgeEntry> edgesInBuildOrder(const graph::Graph& graph);

} // namespace doppler::io
