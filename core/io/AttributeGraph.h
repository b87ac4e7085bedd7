#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/EdgeOrder.h"
#include "core/io/Formats.h"

namespace doppler::io {

/// Attributes as a file states them, in its order.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// The value of `key`, or null. Letter case does not matter.
const std::string* findAttribute(const Attributes& attributes, std::string_view key);

/// Replaces or adds.
void setAttribute(Attributes& attributes, const std::string& key, std::string value);

struct AttributeNode {
    std::string id;
    std::string group;
    Attributes attributes;
};

struct AttributeEdge {
    std::string from;
    std::string to;
    Attributes attributes;
};

/// A graph of nodes and edges with free attributes: what DOT and GraphML files hold.
struct AttributeGraph {
    std::string name;
    Attributes attributes;
    std::vector<AttributeNode> nodes;
    std::vector<AttributeEdge> edges;
    bool strict = false; ///< edges of one pair are one edge
};

/// Finds out what the attributes mean. Ours (see exportAttributes) are read back exactly.
/// Others: on nodes "compute", "cost", "time", "duration", "runtime" or "weight" is a compute cost;
/// "flops" or (as SimGrid has it) "size" are FLOPs; "operator", "op", "type" or "kind" the
/// operator. On edges "bytes", "size" or "data" are bytes, "transfer", "comm" or "cost" a transfer
/// cost, and a label like "[1, 64, 56]" the shape of the producer's output. Costs with fractions,
/// and costs beside bytes, are taken as milliseconds. Everything assumed stands in the report.
ReadGraph interpretAttributes(AttributeGraph graph, const std::string& where, std::string format);

/// The attributes under which DOT and GraphML files of ours carry all that a graph says. Nodes are
/// the ops, with their numbers as ids, then the graph inputs ("i0", "i1"...; isInput="true"); edges
/// are those of `entries`, which edgesInBuildOrder() lists.
AttributeGraph exportAttributes(const graph::Graph& graph, const std::vector<EdgeEntry>& entries);

/// The id of a graph input among the nodes of exportAttributes().
std::string inputNodeId(InputId input);

} // namespace doppler::io
