#include "core/graph/FoldedGraph.h"

#include <algorithm>
#include <map>

namespace doppler::graph {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

FoldState::FoldState(std::shared_ptr<const GroupTree> tree)
    : tree_(std::move(tree)), collapsed_(at(tree_->size()), false) {}

bool FoldState::anyCollapsed() const {
    return std::find(collapsed_.begin(), collapsed_.end(), true) != collapsed_.end();
}

void FoldState::setCollapsed(std::int32_t group, bool collapsed) {
    if (group != GroupTree::kRoot) {
        collapsed_[at(group)] = collapsed;
    }
}

void FoldState::collapseAll() {
    collapsed_.assign(collapsed_.size(), true);
    collapsed_[at(GroupTree::kRoot)] = false;
    std::int32_t group = GroupTree::kRoot;
    while (tree_->node(group).ops.empty() && tree_->node(group).children.size() == 1) {
        group = tree_->node(group).children.front();
        collapsed_[at(group)] = false;
    }
}

void FoldState::expandAll() {
    collapsed_.assign(collapsed_.size(), false);
}

std::int32_t FoldState::hiddenIn(std::int32_t group) const {
    std::int32_t outermost = GroupTree::kRoot;
    for (; group > GroupTree::kRoot; group = tree_->node(group).parent) {
        if (collapsed_[at(group)]) {
            outermost = group;
        }
    }
    return outermost;
}

void FoldState::uncover(OpId op) {
    for (std::int32_t group = tree_->groupOf(op); group > GroupTree::kRoot;
         group = tree_->node(group).parent) {
        collapsed_[at(group)] = false;
    }
}

std::vector<std::string> collapsedPaths(const FoldState& fold) {
    std::vector<std::string> paths;
    for (std::int32_t group = GroupTree::kRoot + 1; group < fold.tree().size(); ++group) {
        if (fold.isCollapsed(group)) {
            paths.push_back(fold.tree().path(group));
        }
    }
    return paths;
}

FoldState foldOf(const Graph& graph, const std::vector<std::string>& collapsed) {
    auto tree = std::make_shared<const GroupTree>(graph);
    std::map<std::string, std::int32_t> byPath;
    for (std::int32_t group = GroupTree::kRoot + 1; group < tree->size(); ++group) {
        byPath[tree->path(group)] = group;
    }
    FoldState fold(std::move(tree));
    for (const std::string& path : collapsed) {
        if (const auto found = byPath.find(path); found != byPath.end()) {
            fold.setCollapsed(found->second, true);
        }
    }
    return fold;
}

FoldedGraph::FoldedGraph(const Graph& graph, const FoldState& fold) {
    std::vector<std::int32_t> partOfGroup(at(fold.tree().size()), -1);
    std::vector<std::int32_t> standIn(at(fold.tree().size()));
    for (std::int32_t group = 0; group < fold.tree().size(); ++group) {
        standIn[at(group)] = fold.hiddenIn(group);
    }
    partOf_.resize(at(graph.opCount()));
    for (OpId op = 0; op < graph.opCount(); ++op) {
        const std::int32_t group = standIn[at(fold.tree().groupOf(op))];
        const auto next = static_cast<std::int32_t>(parts_.size());
        if (group == GroupTree::kRoot) {
            partOf_[at(op)] = next;
            parts_.push_back({op, -1});
            continue;
        }
        if (partOfGroup[at(group)] < 0) {
            partOfGroup[at(group)] = next;
            parts_.push_back({kNoOp, group});
        }
        partOf_[at(op)] = partOfGroup[at(group)];
    }
    // Parts that depend on each other both ways: first comes what is earlier on average.
    std::vector<double> sum(parts_.size(), 0);
    std::vector<double> count(parts_.size(), 0);
    for (std::size_t i = 0; i < graph.topologicalOrder().size(); ++i) {
        const std::size_t part = at(partOf(graph.topologicalOrder()[i]));
        sum[part] += static_cast<double>(i);
        count[part] += 1;
    }
    for (std::size_t part = 0; part < sum.size(); ++part) {
        sum[part] /= std::max(1.0, count[part]);
    }
    EdgeBundler bundler;
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        bundler.add(partOf(graph.source(edge)), partOf(graph.target(edge)), graph.edgeBytes(edge));
    }
    bundles_ = bundler.bundles(sum);
}

bool FoldedGraph::isAcyclic() const {
    return std::none_of(bundles_.begin(), bundles_.end(),
                        [](const EdgeBundle& bundle) { return bundle.backward; });
}

} // namespace doppler::graph
