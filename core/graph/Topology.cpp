#include "core/graph/Topology.h"

#include <algorithm>
#include <numeric>

namespace doppler::graph {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

int countComponents(const Graph& graph) {
    std::vector<OpId> parent(at(graph.opCount()));
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](OpId op) {
        while (parent[at(op)] != op) {
            parent[at(op)] = parent[at(parent[at(op)])];
            op = parent[at(op)];
        }
        return op;
    };
    int components = graph.opCount();
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        const OpId a = root(graph.source(edge));
        const OpId b = root(graph.target(edge));
        if (a != b) {
            parent[at(a)] = b;
            --components;
        }
    }
    return components;
}

} // namespace

std::vector<std::int32_t> levels(const Graph& graph) {
    std::vector<std::int32_t> level(at(graph.opCount()), 0);
    for (const OpId op : graph.topologicalOrder()) {
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            auto& target = level[at(graph.target(edge))];
            target = std::max(target, level[at(op)] + 1);
        }
    }
    return level;
}

std::vector<bool> ancestors(const Graph& graph, OpId target) {
    std::vector<bool> reached(at(graph.opCount()), false);
    std::vector<OpId> stack{target};
    reached[at(target)] = true;
    while (!stack.empty()) {
        const OpId op = stack.back();
        stack.pop_back();
        for (const EdgeId edge : graph.inEdges(op)) {
            const OpId source = graph.source(edge);
            if (!reached[at(source)]) {
                reached[at(source)] = true;
                stack.push_back(source);
            }
        }
    }
    return reached;
}

std::vector<bool> descendants(const Graph& graph, OpId source) {
    std::vector<bool> reached(at(graph.opCount()), false);
    std::vector<OpId> stack{source};
    reached[at(source)] = true;
    while (!stack.empty()) {
        const OpId op = stack.back();
        stack.pop_back();
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            const OpId target = graph.target(edge);
            if (!reached[at(target)]) {
                reached[at(target)] = true;
                stack.push_back(target);
            }
        }
    }
    return reached;
}

std::vector<OpId> unusedOps(const Graph& graph) {
    if (graph.outputs().empty()) {
        return {};
    }
    std::vector<bool> used(at(graph.opCount()), false);
    for (const OpId op : graph.outputs()) {
        used[at(op)] = true;
    }
    const std::vector<OpId>& order = graph.topologicalOrder();
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
        for (EdgeId edge = graph.firstOutEdge(*op); edge < graph.endOutEdge(*op); ++edge) {
            if (used[at(graph.target(edge))]) {
                used[at(*op)] = true;
            }
        }
    }
    std::vector<OpId> unused;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        if (!used[at(op)]) {
            unused.push_back(op);
        }
    }
    return unused;
}

GraphFacts graphFacts(const Graph& graph) {
    GraphFacts facts;
    facts.nodes = graph.opCount();
    facts.edges = graph.edgeCount();
    facts.inputs = graph.inputCount();
    facts.components = countComponents(graph);
    facts.unusedOps = static_cast<int>(unusedOps(graph).size());

    const std::vector<std::int32_t> level = levels(graph);
    std::vector<int> opsOnLevel;
    for (const std::int32_t l : level) {
        opsOnLevel.resize(std::max(opsOnLevel.size(), at(l) + 1), 0);
        ++opsOnLevel[at(l)];
    }
    facts.depth = static_cast<int>(opsOnLevel.size());
    facts.width = opsOnLevel.empty() ? 0 : *std::max_element(opsOnLevel.begin(), opsOnLevel.end());

    for (OpId op = 0; op < graph.opCount(); ++op) {
        facts.sources += graph.inDegree(op) == 0 ? 1 : 0;
        facts.sinks += graph.outDegree(op) == 0 ? 1 : 0;
        facts.flops += graph.flops(op);
        facts.outputBytes += graph.outputBytes(op);
        facts.estimatedOps += graph.costEstimated(op) ? 1 : 0;
        if (graph.hasFileCosts()) {
            facts.fileCompute += graph.fileCompute(op);
        }
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        facts.edgeBytes += graph.edgeBytes(edge);
        if (graph.hasFileCosts()) {
            facts.fileTransfer += graph.edgeFileTransfer(edge);
        }
    }
    for (const GraphInput& input : graph.inputs()) {
        facts.inputBytes += input.bytes;
    }
    return facts;
}

} // namespace doppler::graph
