#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/Graph.h"

namespace doppler::graph {

/// The groups of a graph as a tree: "layer 3/attention" is the part "attention" of "layer 3".
/// Node 0 is the whole graph. Groups of a single op are left out: their op counts for the group
/// around them.
class GroupTree {
public:
    static constexpr std::int32_t kRoot = 0;

    struct Node {
        std::string name;                   ///< last part of the path; empty for the root
        std::int32_t parent = -1;           ///< -1: the root
        int depth = 0;                      ///< 0: the root
        int opCount = 0;                    ///< with all groups below
        std::int64_t flops = 0;             ///< the same
        std::vector<OpId> ops;              ///< directly in this group, ascending
        std::vector<std::int32_t> children; ///< groups directly below, in order of their first op
    };

    explicit GroupTree(const Graph& graph);

    int size() const { return static_cast<int>(nodes_.size()); }
    /// False if the graph has no groups to fold.
    bool hasGroups() const { return size() > 1; }
    const Node& node(std::int32_t group) const { return nodes_[static_cast<std::size_t>(group)]; }
    /// The innermost group of an op; kRoot if it has none.
    std::int32_t groupOf(OpId op) const { return groupOf_[static_cast<std::size_t>(op)]; }
    /// "layer 3/attention".
    std::string path(std::int32_t group) const;
    /// All ops of a group and of those below it, ascending.
    std::vector<OpId> opsOf(std::int32_t group) const;
    /// True if `group` is `other` or lies in it.
    bool isWithin(std::int32_t group, std::int32_t other) const;

private:
    std::vector<Node> nodes_; // parents before children
    std::vector<std::int32_t> groupOf_;
};

} // namespace doppler::graph
