#include "core/place/policy/GeneratedProblems.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/graph/GraphBuilder.h"
#include "core/place/policy/GeneratedPrograms.h"
#include "core/workload/Workload.h"

namespace doppler::place {

namespace {

using workload::PortableRandom;

constexpr int kLeastOps = 24;
constexpr int kMostOps = 420;

double between(PortableRandom& random, double low, double high) {
    return low * std::pow(high / low, random.real()); // uniform in the logarithm
}

std::shared_ptr<const graph::Graph> randomDag(PortableRandom& random) {
    const char* shapes[] = {"layered", "layered", "fork-join", "series-parallel", "tree"};
    const auto ops = static_cast<int>(between(random, kLeastOps, kMostOps));
    workload::Parameters parameters = {
        {"shape", shapes[random.below(std::size(shapes))]},
        {"ops", std::to_string(ops)},
        {"degree", std::to_string(1 + 2 * random.real())},
        {"seed", std::to_string(random.below(1 << 30))},
    };
    return workload::generate("random", parameters);
}

std::shared_ptr<const graph::Graph> anyGraph(PortableRandom& random) {
    const double draw = random.real();
    return draw < 0.3   ? randomTransformer(random)
           : draw < 0.5 ? randomMatrixChain(random)
           : draw < 0.7 ? randomFeedForward(random)
                        : randomDag(random);
}

struct Costs {
    std::vector<double> compute;
    std::vector<double> transfer;
};

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) /
           static_cast<double>(std::max<std::size_t>(1, values.size()));
}

Costs randomCosts(const graph::Graph& graph, PortableRandom& random) {
    constexpr double kLeastRatio = 0.1;
    constexpr double kMostRatio = 8;
    const double style = random.real();
    const bool bySize = style >= 0.75;
    const double ratio = style < 0.6 ? 4 : between(random, kLeastRatio, kMostRatio);
    // FLOPs that a device makes while it moves a byte in its memory.
    const double flopsPerByte = between(random, 5, 80);
    Costs costs;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        if (bySize) {
            costs.compute.push_back(
                std::max(static_cast<double>(graph.flops(op)),
                         static_cast<double>(graph.bytesTouched(op)) * flopsPerByte));
            costs.transfer.push_back(static_cast<double>(graph.outputBytes(op)));
        } else {
            costs.compute.push_back(static_cast<double>(graph.fileCompute(op)));
            costs.transfer.push_back(costs.compute.back() * ratio);
        }
    }
    if (bySize && mean(costs.transfer) > 0) {
        const double scale = ratio * mean(costs.compute) / mean(costs.transfer);
        for (double& transfer : costs.transfer) {
            transfer *= scale;
        }
    }
    return costs;
}

/// New ids in a random topological order.
std::vector<OpId> shuffledOrder(const graph::Graph& graph, PortableRandom& random) {
    std::vector<int> missing;
    std::vector<OpId> ready;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        missing.push_back(graph.inDegree(op));
        if (missing.back() == 0) {
            ready.push_back(op);
        }
    }
    std::vector<OpId> order;
    while (!ready.empty()) {
        const auto pick =
            static_cast<std::size_t>(random.below(static_cast<std::int64_t>(ready.size())));
        const OpId op = ready[pick];
        ready[pick] = ready.back();
        ready.pop_back();
        order.push_back(op);
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            if (--missing[static_cast<std::size_t>(graph.target(edge))] == 0) {
                ready.push_back(graph.target(edge));
            }
        }
    }
    return order;
}

std::shared_ptr<const graph::Graph> withCosts(const graph::Graph& graph, const Costs& costs,
                                              const std::vector<OpId>& order) {
    // Integers with digits enough.
    constexpr double kMean = 1e6;
    const double unit = std::max(mean(costs.compute), 1e-9) / kMean;
    const auto scaled = [unit](double cost) {
        return static_cast<std::int64_t>(std::llround(cost / unit));
    };
    graph::GraphBuilder builder(graph.name());
    builder.setFileCostUnit(graph::FileCostUnit::Units);
    std::vector<OpId> number(order.size());
    for (const OpId op : order) {
        const auto i = static_cast<std::size_t>(op);
        number[i] = builder.addOp({.kind = graph.kind(op),
                                   .kindName = std::string(graph.kindName(op)),
                                   .outputBytes = graph.outputBytes(op),
                                   .fileCompute = scaled(costs.compute[i]),
                                   .fileTransfer = scaled(costs.transfer[i])});
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        builder.addEdge(number[static_cast<std::size_t>(graph.source(edge))],
                        number[static_cast<std::size_t>(graph.target(edge))]);
    }
    return builder.build();
}

std::shared_ptr<const cluster::Cluster> randomCluster(PortableRandom& random, bool plain) {
    const int counts[] = {2, 3, 4, 4, 6, 8, 8};
    const int devices = counts[random.below(std::size(counts))];
    const cluster::Cluster like = cluster::uniformCluster(devices);
    std::vector<cluster::Device> list = like.devices();
    std::vector<cluster::Link> links;
    const bool unlikeDevices = !plain && random.chance(0.15);
    const bool unlikeLinks = !plain && random.chance(0.1);
    const double slow = between(random, 0.2, 0.8);
    const double slowLink = between(random, 0.15, 0.7);
    const int fast = devices / 2;
    for (DeviceId from = 0; from < devices; ++from) {
        if (unlikeDevices && from >= fast) {
            list[static_cast<std::size_t>(from)].relativeSpeed = slow;
        }
        for (DeviceId to = 0; to < devices; ++to) {
            links.push_back(like.link(from, to));
            if (unlikeLinks && (from < fast) != (to < fast)) {
                links.back().relativeSpeed = slowLink;
            }
        }
    }
    return std::make_shared<const cluster::Cluster>("generated", std::move(list), std::move(links));
}

std::shared_ptr<const sim::Problem> generated(std::uint64_t seed, bool plain) {
    PortableRandom random(seed);
    std::shared_ptr<const graph::Graph> graph;
    do {
        graph = anyGraph(random);
    } while (graph->opCount() < kLeastOps || graph->opCount() > kMostOps);
    const Costs costs = randomCosts(*graph, random);
    std::vector<OpId> order(static_cast<std::size_t>(graph->opCount()));
    std::iota(order.begin(), order.end(), 0);
    if (random.chance(0.5)) {
        order = shuffledOrder(*graph, random);
    }
    const auto options =
        !plain && random.chance(0.25) ? sim::SimOptions{} : sim::SimOptions::published();
    return sim::makeProblem(withCosts(*graph, costs, order), randomCluster(random, plain),
                            cost::CostModel::Published, options);
}

} // namespace

std::shared_ptr<const sim::Problem> generatedProblem(std::uint64_t seed) {
    return generated(seed, false);
}

std::shared_ptr<const sim::Problem> generatedPlainProblem(std::uint64_t seed) {
    return generated(seed, true);
}

} // namespace doppler::place
