#include "core/place/policy/PolicyProblem.h"

#include <algorithm>
#include <numeric>

#include "core/place/HeavyEdgeJoin.h"
#include "core/place/MemoryLedger.h"
#include "core/place/policy/PolicyOpFeatures.h"
#include "core/place/policy/StructuralClasses.h"

namespace doppler::place {

namespace {

// Consumers, and their consumers, that are looked at: more would cost more than they tell.
constexpr int kMostChildren = 12;
// Largest clusters, in even shares of the work.
constexpr std::array<double, kClusterings> kClusterShares = {0.5, 0.25, 0.125, 0.0625, 0.03125};

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

std::size_t paddedDevices(int devices) {
    return devices <= 4 ? 4 : (static_cast<std::size_t>(devices) + 7) / 8 * 8;
}

void addCosts(PolicyProblem& p, double unit) {
    const cost::CostTable& costs = *p.problem->costs;
    const graph::Graph& graph = *p.problem->graph;
    const auto scaled = [unit](auto time) {
        return static_cast<float>(static_cast<double>(time) / unit);
    };
    p.compute.assign(at(p.ops) * p.stride, 0);
    p.meanCompute.resize(at(p.ops));
    p.inTransfer.assign(at(p.ops), 0);
    for (OpId op = 0; op < p.ops; ++op) {
        p.meanCompute[at(op)] = scaled(costs.meanCompute(op));
        for (DeviceId device = 0; device < p.devices; ++device) {
            p.compute[at(op) * p.stride + at(device)] = scaled(costs.compute(op, device));
        }
    }
    p.likeLinks = costs.linkClasses() == 1;
    p.transfer.resize(at(graph.edgeCount()));
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        const OpId source = graph.source(edge);
        p.transfer[at(edge)] = scaled(costs.meanTransfer(edge, source));
        p.inTransfer[at(graph.target(edge))] += p.transfer[at(edge)];
        for (std::size_t cls = 0; !p.likeLinks && cls < costs.linkClasses(); ++cls) {
            p.linkTransfer.push_back(scaled(costs.transferOfClass(edge, source, cls)));
        }
    }
}

/// Consumers as edges and their consumers; evenly spread samples where there are many.
void addNeighbours(PolicyProblem& p) {
    const graph::Graph& graph = *p.problem->graph;
    p.childBegin.push_back(0);
    p.grandBegin.push_back(0);
    for (OpId op = 0; op < p.ops; ++op) {
        const int count = graph.outDegree(op);
        const int kept = std::min(count, kMostChildren);
        for (int i = 0; i < kept; ++i) {
            p.children.push_back(graph.firstOutEdge(op) +
                                 static_cast<EdgeId>(std::int64_t{i} * count / kept));
        }
        p.childBegin.push_back(static_cast<std::int32_t>(p.children.size()));
    }
    std::vector<OpId> grand;
    for (OpId op = 0; op < p.ops; ++op) {
        grand.clear();
        for (auto i = p.childBegin[at(op)]; i < p.childBegin[at(op) + 1]; ++i) {
            const OpId child = graph.target(p.children[at(i)]);
            for (auto j = p.childBegin[at(child)]; j < p.childBegin[at(child) + 1]; ++j) {
                grand.push_back(graph.target(p.children[at(j)]));
            }
        }
        std::sort(grand.begin(), grand.end());
        grand.erase(std::unique(grand.begin(), grand.end()), grand.end());
        const std::size_t kept = std::min<std::size_t>(grand.size(), kMostChildren);
        for (std::size_t i = 0; i < kept; ++i) {
            p.grandchildren.push_back(grand[i * grand.size() / kept]);
        }
        p.grandBegin.push_back(static_cast<std::int32_t>(p.grandchildren.size()));
    }
}

void addClasses(PolicyProblem& p) {
    const auto devices = static_cast<float>(p.devices);
    StructuralClasses classes = structuralClasses(*p.problem);
    p.classOf = std::move(classes.ofOp);
    for (const std::int32_t size : classes.sizes) {
        p.perClass.push_back(devices / static_cast<float>(size));
    }
    std::vector<int> kinds(graph::kOpKindCount, 0);
    for (OpId op = 0; op < p.ops; ++op) {
        p.kindOf.push_back(static_cast<std::int32_t>(p.problem->graph->kind(op)));
        ++kinds[at(p.kindOf.back())];
    }
    for (const int size : kinds) {
        p.perKind.push_back(devices / static_cast<float>(std::max(1, size)));
    }
}

void addClusters(PolicyProblem& p) {
    std::vector<EdgeId> order(p.transfer.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](EdgeId a, EdgeId b) { return p.transfer[at(a)] > p.transfer[at(b)]; });
    double total = 0;
    for (OpId op = 0; op < p.ops; ++op) {
        total += p.problem->costs->meanCompute(op);
    }
    p.clusterOf.resize(at(p.ops) * kClusterings);
    std::vector<std::int32_t> number(at(p.ops));
    for (std::size_t i = 0; i < kClusterings; ++i) {
        const std::vector<OpId> group =
            joinHeavyEdges(*p.problem, order, kClusterShares[i] * total / p.devices);
        for (OpId op = 0; op < p.ops; ++op) {
            if (group[at(op)] == op) {
                number[at(op)] = static_cast<std::int32_t>(p.clusterWork.size());
                p.clusterWork.push_back(0);
            }
        }
        for (OpId op = 0; op < p.ops; ++op) {
            const std::int32_t cluster = number[at(group[at(op)])];
            p.clusterOf[at(op) * kClusterings + i] = cluster;
            p.clusterWork[at(cluster)] += p.meanCompute[at(op)];
        }
    }
}

/// Every op right after the producers that had not come yet, from the first sink on.
void addDepthFirstOrder(PolicyProblem& p) {
    const graph::Graph& graph = *p.problem->graph;
    std::vector<std::uint8_t> seen(at(p.ops), 0);
    std::vector<std::pair<OpId, std::size_t>> stack; // with the next producer to look at
    for (OpId sink = 0; sink < p.ops; ++sink) {
        if (graph.outDegree(sink) > 0) {
            continue;
        }
        seen[at(sink)] = 1;
        stack.emplace_back(sink, 0);
        while (!stack.empty()) {
            auto& [op, next] = stack.back();
            const auto in = graph.inEdges(op);
            if (next == in.size()) {
                p.depthFirst.push_back(op);
                stack.pop_back();
                continue;
            }
            const OpId source = graph.source(in[next++]);
            if (seen[at(source)] == 0) {
                seen[at(source)] = 1;
                stack.emplace_back(source, 0);
            }
        }
    }
    p.placeOf.resize(at(p.ops));
    for (std::size_t i = 0; i < p.depthFirst.size(); ++i) {
        p.placeOf[at(p.depthFirst[i])] = static_cast<std::int32_t>(i);
    }
}

} // namespace

PolicyProblem::PolicyProblem(std::shared_ptr<const sim::Problem> source,
                             const std::stop_token& stop)
    : problem(std::move(source))
    , ops(problem->opCount())
    , devices(problem->deviceCount())
    , stride(paddedDevices(devices)) {
    double work = 0;
    bool pinned = false;
    for (OpId op = 0; op < ops; ++op) {
        work += problem->costs->meanCompute(op);
        pinned = pinned || problem->pin(op) != kNoDevice;
    }
    for (const cluster::Device& device : problem->cluster->devices()) {
        slots.push_back(device.slots);
    }
    interchangeable = !pinned && problem->cluster->isUniform() &&
                      problem->costs->deviceClasses() == 1 && problem->costs->linkClasses() == 1;
    memoryMatters = place::memoryMatters(*problem);
    addCosts(*this, work > 0 ? work / devices : 1);
    for (void (*add)(PolicyProblem&) :
         {addNeighbours, addClasses, addClusters, addDepthFirstOrder, addOpFeatures}) {
        if (stop.stop_requested()) {
            return; // each takes tens of milliseconds on a graph of 100,000 ops
        }
        add(*this);
    }
    complete = true;
}

} // namespace doppler::place
