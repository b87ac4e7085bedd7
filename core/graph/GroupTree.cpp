#include "core/graph/GroupTree.h"

#include <algorithm>
#include <map>

namespace doppler::graph {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// The groups as written, before small ones are dropped.
struct RawTree {
    struct Node {
        std::string name;
        std::int32_t parent = -1;
        int opCount = 0;
    };
    std::vector<Node> nodes{1};
    std::map<std::pair<std::int32_t, std::string>, std::int32_t> byName;

    std::int32_t find(const std::string& path) {
        std::int32_t node = 0;
        std::size_t begin = 0;
        while (begin < path.size()) {
            const std::size_t slash = std::min(path.find('/', begin), path.size());
            if (slash > begin) { // "a//b" is "a/b"
                const std::string name = path.substr(begin, slash - begin);
                const auto [it, isNew] = byName.try_emplace({node, name}, 0);
                if (isNew) {
                    it->second = static_cast<std::int32_t>(nodes.size());
                    nodes.push_back({name, node, 0});
                }
                node = it->second;
            }
            begin = slash + 1;
        }
        return node;
    }
};

} // namespace

GroupTree::GroupTree(const Graph& graph) {
    RawTree raw;
    std::vector<std::int32_t> nodeOfName;
    nodeOfName.reserve(graph.groupNames().size());
    for (const std::string& name : graph.groupNames()) {
        nodeOfName.push_back(raw.find(name));
    }
    std::vector<std::int32_t> rawOf(at(graph.opCount()), 0);
    for (OpId op = 0; op < graph.opCount(); ++op) {
        if (graph.group(op) >= 0) {
            rawOf[at(op)] = nodeOfName[at(graph.group(op))];
        }
        ++raw.nodes[at(rawOf[at(op)])].opCount;
    }
    for (std::size_t node = raw.nodes.size(); node-- > 1;) {
        raw.nodes[at(raw.nodes[node].parent)].opCount += raw.nodes[node].opCount;
    }

    // Groups get their numbers in the order of their first op, parents before children.
    std::vector<std::int32_t> kept(raw.nodes.size(), -1);
    kept[0] = kRoot;
    nodes_.resize(1);
    groupOf_.resize(at(graph.opCount()));
    std::vector<std::int32_t> chain;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        chain.clear();
        for (std::int32_t node = rawOf[at(op)]; kept[at(node)] < 0;
             node = raw.nodes[at(node)].parent) {
            chain.push_back(node);
        }
        for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
            const RawTree::Node& source = raw.nodes[at(*it)];
            const std::int32_t parent = kept[at(source.parent)];
            if (source.opCount < 2) {
                kept[at(*it)] = parent;
                continue;
            }
            kept[at(*it)] = size();
            nodes_[at(parent)].children.push_back(size());
            nodes_.push_back({source.name, parent, nodes_[at(parent)].depth + 1, 0, 0, {}, {}});
        }
        const std::int32_t group = kept[at(rawOf[at(op)])];
        groupOf_[at(op)] = group;
        nodes_[at(group)].ops.push_back(op);
        ++nodes_[at(group)].opCount;
        nodes_[at(group)].flops += graph.flops(op);
    }
    for (std::size_t node = nodes_.size(); node-- > 1;) {
        nodes_[at(nodes_[node].parent)].opCount += nodes_[node].opCount;
        nodes_[at(nodes_[node].parent)].flops += nodes_[node].flops;
    }
}

std::string GroupTree::path(std::int32_t group) const {
    std::string text = node(group).name;
    for (std::int32_t up = node(group).parent; up > kRoot; up = node(up).parent) {
        text = node(up).name + "/" + text;
    }
    return text;
}

std::vector<OpId> GroupTree::opsOf(std::int32_t group) const {
    std::vector<OpId> ops;
    ops.reserve(at(node(group).opCount));
    std::vector<std::int32_t> open{group};
    while (!open.empty()) {
        const Node& next = node(open.back());
        open.pop_back();
        ops.insert(ops.end(), next.ops.begin(), next.ops.end());
        open.insert(open.end(), next.children.begin(), next.children.end());
    }
    std::sort(ops.begin(), ops.end());
    return ops;
}

bool GroupTree::isWithin(std::int32_t group, std::int32_t other) const {
    while (group >= 0 && group != other) {
        group = node(group).parent;
    }
    return group == other;
}

} // namespace doppler::graph
