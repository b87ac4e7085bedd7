#pragma once

#include <memory>
#include <set>
#include <vector>

#include "core/graph/EdgeBundles.h"
#include "core/graph/GroupTree.h"

namespace doppler::graph {

/// Which groups of a tree are collapsed. A group within a collapsed one is hidden whatever is said
/// about itself, and comes back as it was.
class FoldState {
public:
    explicit FoldState(std::shared_ptr<const GroupTree> tree);

    const GroupTree& tree() const { return *tree_; }
    std::shared_ptr<const GroupTree> sharedTree() const { return tree_; }

    bool isCollapsed(std::int32_t group) const {
        return collapsed_[static_cast<std::size_t>(group)];
    }
    bool anyCollapsed() const;
    void setCollapsed(std::int32_t group, bool collapsed);
    /// Collapses every group: opening one then shows the groups in it. A group that holds all the
    /// others is left open.
    void collapseAll();
    void expandAll();

    /// The outermost collapsed group around an op: what stands for it; kRoot: the op itself.
    std::int32_t standIn(OpId op) const { return hiddenIn(tree_->groupOf(op)); }
    /// The outermost collapsed group that is or contains `group`, or kRoot.
    std::int32_t hiddenIn(std::int32_t group) const;
    /// Expands all groups around an op.
    void uncover(OpId op);

    bool operator==(const FoldState& other) const {
        return tree_ == other.tree_ && collapsed_ == other.collapsed_;
    }

private:
    std::shared_ptr<const GroupTree> tree_;
    std::vector<bool> collapsed_;
};

/// Paths of the groups that are collapsed, those within others too; in the order of the tree.
std::vector<std::string> collapsedPaths(const FoldState& fold);
/// The state with these groups collapsed; paths that the graph does not have are ignored.
FoldState foldOf(const Graph& graph, const std::vector<std::string>& collapsed);

/// A graph as it looks with some groups collapsed: the ops that are left, one part for every
/// collapsed group, and the edges between those, bundled.
class FoldedGraph {
public:
    /// A single op, or a collapsed group.
    struct Part {
        OpId op = kNoOp;
        std::int32_t group = -1; ///< of the tree; -1: a single op
    };

    FoldedGraph(const Graph& graph, const FoldState& fold);

    const std::vector<Part>& parts() const { return parts_; }
    std::int32_t partOf(OpId op) const { return partOf_[static_cast<std::size_t>(op)]; }
    const std::vector<EdgeBundle>& bundles() const { return bundles_; }
    /// False if collapsed groups depend on each other both ways (see EdgeBundle::backward).
    bool isAcyclic() const;

private:
    std::vector<Part> parts_; ///< in order of their first op
    std::vector<std::int32_t> partOf_;
    std::vector<EdgeBundle> bundles_;
};

} // namespace doppler::graph
