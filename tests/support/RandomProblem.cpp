#include "tests/support/RandomProblem.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "core/graph/GraphBuilder.h"

namespace doppler::tests {

namespace {

using Edges = std::set<std::pair<OpId, OpId>>; // a set: no parallel edges

class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}

    /// Evenly from least..most.
    std::int64_t number(std::int64_t least, std::int64_t most) {
        return least +
               static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most - least + 1));
    }
    OpId op(int least, int most) { return static_cast<OpId>(number(least, most)); }
    bool chance(double share) { return static_cast<double>(engine_() >> 11) * 0x1p-53 < share; }
    template <typename T>
    void shuffle(std::vector<T>& things) {
        for (std::size_t i = things.size(); i > 1; --i) {
            std::swap(things[i - 1],
                      things[static_cast<std::size_t>(number(0, static_cast<int>(i) - 1))]);
        }
    }

private:
    std::mt19937_64 engine_;
};

Edges layeredEdges(int ops, Dice& dice) {
    const int width = std::max(1, static_cast<int>(std::min<std::int64_t>(ops, dice.number(2, 6))));
    Edges edges;
    for (OpId op = width; op < ops; ++op) {
        const int layer = op / width;
        for (std::int64_t k = dice.number(1, 3); k > 0; --k) {
            const int from = dice.chance(0.8) ? layer - 1 : dice.op(0, layer - 1);
            edges.emplace(dice.op(from * width, from * width + width - 1), op);
        }
    }
    return edges;
}

Edges forkJoinEdges(int ops, Dice& dice) {
    Edges edges;
    OpId fork = 0;
    while (fork + 1 < ops) {
        const OpId join = std::min(ops - 1, fork + dice.op(2, 8));
        for (OpId middle = fork + 1; middle < join; ++middle) {
            edges.emplace(fork, middle);
            edges.emplace(middle, join);
        }
        edges.emplace(fork, join);
        fork = join;
    }
    return edges;
}

Edges seriesParallelEdges(int ops, Dice& dice) {
    // Start with one edge; give each new op an edge to split, or one to run beside.
    Edges edges;
    std::vector<std::pair<OpId, OpId>> list;
    if (ops >= 2) {
        list.emplace_back(0, 1);
    }
    for (OpId op = 2; op < ops; ++op) {
        const auto k = static_cast<std::size_t>(dice.number(0, static_cast<int>(list.size()) - 1));
        const auto [from, to] = list[k];
        if (dice.chance(0.5)) {
            list[k] = {from, op};
        } else {
            list.emplace_back(from, op);
        }
        list.emplace_back(op, to);
    }
    edges.insert(list.begin(), list.end());
    return edges;
}

Edges edgesOf(const RandomProblemSpec& spec, Dice& dice) {
    Edges edges;
    switch (spec.shape) {
    case GraphShape::Layered:
        return layeredEdges(spec.ops, dice);
    case GraphShape::ForkJoin:
        return forkJoinEdges(spec.ops, dice);
    case GraphShape::SeriesParallel:
        return seriesParallelEdges(spec.ops, dice);
    case GraphShape::Sparse:
        for (int i = 0; spec.ops > 1 && i < spec.ops; ++i) {
            const OpId a = dice.op(0, spec.ops - 2);
            edges.emplace(a, dice.op(a + 1, spec.ops - 1));
        }
        return edges;
    case GraphShape::Chain:
        for (OpId op = 1; op < spec.ops; ++op) {
            edges.emplace(op - 1, op);
        }
        return edges;
    case GraphShape::InTree:
        for (OpId op = 0; op + 1 < spec.ops; ++op) {
            edges.emplace(op, dice.op(op + 1, std::min(spec.ops - 1, op + 4)));
        }
        return edges;
    case GraphShape::OutTree:
        for (OpId op = 1; op < spec.ops; ++op) {
            edges.emplace(dice.op(std::max(0, op - 4), op - 1), op);
        }
        return edges;
    case GraphShape::Independent:
        break;
    }
    return edges;
}

std::shared_ptr<const graph::Graph> randomGraph(const RandomProblemSpec& spec, Dice& dice) {
    const auto cost = [&](double scale) {
        const auto largest = static_cast<double>(spec.largestCost) * scale;
        return dice.chance(spec.zeroCosts)
                   ? 0
                   : dice.number(1, std::max<std::int64_t>(1, static_cast<std::int64_t>(largest)));
    };
    graph::GraphBuilder builder("random");
    builder.setFileCostUnit(graph::FileCostUnit::Units);
    for (int i = 0; i < spec.ops; ++i) {
        graph::OpSpec op;
        op.fileCompute = cost(1);
        op.fileTransfer = cost(spec.communication);
        op.outputBytes = dice.number(1, 64) * 4;
        if (dice.chance(spec.pinned)) {
            op.pinnedDevice = dice.op(0, spec.devices - 1);
        }
        builder.addOp(op);
    }
    // Ids and file order must not follow the topological order, or nothing would depend on it.
    std::vector<OpId> id(static_cast<std::size_t>(spec.ops));
    for (OpId op = 0; op < spec.ops; ++op) {
        id[static_cast<std::size_t>(op)] = op;
    }
    dice.shuffle(id);
    const Edges set = edgesOf(spec, dice);
    std::vector<std::pair<OpId, OpId>> edges(set.begin(), set.end());
    dice.shuffle(edges);
    for (const auto& [from, to] : edges) {
        const bool own = spec.edgeTransferCosts && dice.chance(0.5);
        builder.addEdge(id[static_cast<std::size_t>(from)], id[static_cast<std::size_t>(to)], -1,
                        own ? dice.number(1, 256) : -1, own ? cost(spec.communication) : -1);
    }
    for (int i = 0; i < spec.inputs && spec.ops > 0; ++i) {
        const InputId input = builder.addInput({.name = "in", .bytes = dice.number(1, 64) * 4});
        for (std::int64_t k = dice.number(1, 3); k > 0; --k) {
            builder.addInputUse(input, dice.op(0, spec.ops - 1));
        }
    }
    return builder.build();
}

cluster::Cluster randomCluster(const RandomProblemSpec& spec, const graph::Graph& graph,
                               Dice& dice) {
    constexpr double kSpeeds[] = {0.5, 1, 2, 3};
    const auto speed = [&] { return spec.unlikeDevices ? kSpeeds[dice.number(0, 3)] : 1.0; };
    std::int64_t bytes = 0;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        bytes += graph.outputBytes(op);
    }
    for (const graph::GraphInput& input : graph.inputs()) {
        bytes += input.bytes;
    }
    const cluster::Cluster plain = cluster::uniformCluster(spec.devices);
    std::vector<cluster::Device> devices = plain.devices();
    std::vector<cluster::Link> links;
    for (cluster::Device& device : devices) {
        device.slots = spec.slots;
        device.relativeSpeed = speed();
        device.capacityBytes =
            static_cast<std::int64_t>(spec.capacity * static_cast<double>(bytes) / spec.devices);
    }
    for (int pair = 0; pair < spec.devices * spec.devices; ++pair) {
        cluster::Link link{5e9, 10'000, cluster::LinkKind::Uniform, speed()};
        links.push_back(link);
    }
    return cluster::Cluster("random", std::move(devices), std::move(links));
}

} // namespace

const char* name(GraphShape shape) {
    constexpr const char* kNames[] = {"layered", "sparse",   "fork-join",       "chain",
                                      "in-tree", "out-tree", "series-parallel", "independent"};
    return kNames[static_cast<std::size_t>(shape)];
}

std::shared_ptr<const sim::Problem> randomProblem(const RandomProblemSpec& spec,
                                                  std::uint64_t seed) {
    Dice dice(seed);
    const auto graph = randomGraph(spec, dice);
    auto cluster = std::make_shared<const cluster::Cluster>(randomCluster(spec, *graph, dice));
    return sim::makeProblem(graph, std::move(cluster), cost::CostModel::Published, spec.options);
}

sim::Assignment randomAssignment(const sim::Problem& problem, std::uint64_t seed) {
    Dice dice(seed);
    sim::Assignment assignment;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        const DeviceId pin = problem.pin(op);
        const DeviceId drawn = dice.op(0, problem.deviceCount() - 1);
        assignment.push_back(pin == kNoDevice ? drawn : pin);
    }
    return assignment;
}

} // namespace doppler::tests
