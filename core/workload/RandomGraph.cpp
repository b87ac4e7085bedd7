#include <algorithm>
#include <cmath>

#include "core/graph/GraphBuilder.h"
#include "core/workload/Generators.h"
#include "core/workload/PortableRandom.h"

namespace doppler::workload {

namespace {

struct Edge {
    OpId source;
    OpId target;
};

/// Rows of about sqrt(ops) width; every op reads one op of the row before and others of the three
/// rows before.
std::vector<Edge> layeredEdges(int ops, double degree, PortableRandom& random) {
    constexpr int kReach = 3;
    const auto meanWidth = std::max<std::int64_t>(1, std::llround(std::sqrt(ops)));
    std::vector<Edge> edges;
    std::vector<OpId> rowBegin{0};
    while (rowBegin.back() < ops) {
        const auto width = random.between((meanWidth + 1) / 2, meanWidth + meanWidth / 2);
        const OpId begin = rowBegin.back();
        const OpId end = static_cast<OpId>(std::min<std::int64_t>(ops, begin + width));
        const std::size_t row = rowBegin.size() - 1;
        if (row > 0) {
            const OpId previous = rowBegin[row - 1];
            const OpId earliest = rowBegin[row >= kReach ? row - kReach : 0];
            for (OpId op = begin; op < end; ++op) {
                std::vector<OpId> sources{static_cast<OpId>(random.between(previous, begin - 1))};
                double more = degree - 1;
                while (random.chance(more)) {
                    sources.push_back(static_cast<OpId>(random.between(earliest, begin - 1)));
                    more -= 1;
                }
                std::sort(sources.begin(), sources.end());
                sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
                for (const OpId source : sources) {
                    edges.push_back({source, op});
                }
            }
        }
        rowBegin.push_back(end);
    }
    return edges;
}

/// A chain of stages, each one op, a number of parallel ops that read it, and an op that joins
/// them.
std::vector<Edge> forkJoinEdges(int ops, double degree, PortableRandom& random) {
    const auto mean = std::max<std::int64_t>(2, std::llround(degree * 4));
    std::vector<Edge> edges;
    OpId fork = 0;
    while (fork + 1 < ops) {
        const auto branches =
            std::min<std::int64_t>(random.between((mean + 1) / 2, mean + mean / 2), ops - fork - 2);
        const auto join = static_cast<OpId>(fork + branches + 1);
        if (branches <= 0) {
            edges.push_back({fork, join});
        }
        for (OpId op = fork + 1; op < join; ++op) {
            edges.push_back({fork, op});
            edges.push_back({op, join});
        }
        fork = join;
    }
    return edges;
}

/// A tree that ends in one op: many into one, as a reduction; `degree` operands on average.
std::vector<Edge> treeEdges(int ops, double degree, PortableRandom& random) {
    const auto arity = std::max<std::int64_t>(2, std::llround(degree));
    std::vector<Edge> edges;
    // Ops numbered from the root: each takes the next few as its operands; then turned around.
    OpId next = 1;
    for (OpId parent = 0; next < ops; ++parent) {
        for (auto count = random.between(1, 2 * arity - 1); count > 0 && next < ops; --count) {
            edges.push_back({ops - 1 - next, ops - 1 - parent});
            ++next;
        }
    }
    return edges;
}

/// Grown from one edge: an op is put into a random edge, or beside it (more often for a higher
/// degree).
std::vector<Edge> seriesParallelEdges(int ops, double degree, PortableRandom& random) {
    if (ops < 2) {
        return {};
    }
    std::vector<Edge> edges{{0, 1}};
    const double parallel = std::clamp(degree - 1, 0.0, 1.0);
    for (OpId op = 2; op < ops; ++op) {
        Edge& edge =
            edges[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(edges.size())))];
        const Edge old = edge;
        if (random.chance(parallel)) {
            edges.push_back({old.source, op});
        } else {
            edge = {old.source, op};
        }
        edges.push_back({op, old.target});
    }
    return edges;
}

std::shared_ptr<const graph::Graph> randomGraphOf(const ParameterReader& parameters) {
    constexpr std::int64_t kMeanCompute = 1000;
    // One unit is about what a device of 10 TFLOP/s and a link of 10 GB/s do in 100 ns.
    constexpr std::int64_t kFlopsPerUnit = 1'000'000;
    constexpr std::int64_t kBytesPerUnit = 1000;

    const auto ops = static_cast<int>(parameters.integer("ops"));
    const double degree = parameters.real("degree");
    constexpr double kMostEdges = 1e8;
    if (ops * degree > kMostEdges) {
        parameters.fail("degree", "ops times degree of at most 100000000");
    }
    const std::string& shape = parameters.choice("shape");
    PortableRandom random(static_cast<std::uint64_t>(parameters.integer("seed")));
    const std::vector<Edge> edges = shape == "layered"     ? layeredEdges(ops, degree, random)
                                    : shape == "fork-join" ? forkJoinEdges(ops, degree, random)
                                    : shape == "tree"      ? treeEdges(ops, degree, random)
                                                      : seriesParallelEdges(ops, degree, random);

    graph::GraphBuilder builder("random " + shape);
    builder.setFileCostUnit(graph::FileCostUnit::Units);
    builder.reserve(ops, static_cast<int>(edges.size()));
    const auto meanTransfer = static_cast<double>(kMeanCompute) * parameters.real("ccr");
    for (OpId op = 0; op < ops; ++op) {
        const std::int64_t compute = random.between(kMeanCompute / 10, kMeanCompute * 19 / 10);
        const auto transfer =
            static_cast<std::int64_t>(std::llround(meanTransfer * (0.1 + 1.8 * random.real())));
        builder.addOp({.outputBytes = transfer * kBytesPerUnit,
                       .flops = compute * kFlopsPerUnit,
                       .fileCompute = compute,
                       .fileTransfer = transfer});
    }
    for (const Edge& edge : edges) {
        builder.addEdge(edge.source, edge.target);
    }
    return builder.build();
}

} // namespace

Generator randomGraph() {
    return {.info = {.name = "random",
                     .title = "Random graph",
                     .description = "Graphs of a given shape with random costs, the same on every "
                                    "machine for a seed",
                     .source = "",
                     .parameters =
                         {choiceParameter("shape", "how the ops depend on each other",
                                          {"layered", "fork-join", "tree", "series-parallel"}),
                          integerParameter("ops", "number of ops", 1000, 30, 1, 10'000'000),
                          {.name = "degree",
                           .description = "edges per op on average (a quarter of the branches of a "
                                          "fork; operands in a tree)",
                           .type = Parameter::Type::Real,
                           .defaultValue = "2",
                           .minimum = 1,
                           .maximum = 100},
                          {.name = "ccr",
                           .description = "transfer cost of an edge over compute cost of an op, on "
                                          "average",
                           .type = Parameter::Type::Real,
                           .defaultValue = "1",
                           .minimum = 0,
                           .maximum = 1000},
                          integerParameter("seed", "of the random numbers", 1, 1, 0,
                                           std::int64_t{1} << 53),
                          sizeParameter()}},
            .graph = randomGraphOf};
}

} // namespace doppler::workload
