#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <numeric>

#include <scotch.h>

#include "core/place/PlacerEntry.h"

namespace doppler::place {

namespace {

// Weights of Scotch are small integers.
constexpr double kLargestWeight = 1000;
// How much the parts may differ in work.
constexpr double kImbalance = 0.05;
constexpr SCOTCH_Num kSeed = 1;
// Ops plus edges: larger graphs take Scotch, which cannot be interrupted, many seconds.
constexpr std::int64_t kLargest = 1'000'000;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Values from 1 to kLargestWeight in proportion.
std::vector<SCOTCH_Num> scaled(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values) {
        largest = std::max(largest, value);
    }
    std::vector<SCOTCH_Num> weights;
    weights.reserve(values.size());
    for (const double value : values) {
        weights.push_back(
            1 + (largest > 0 ? static_cast<SCOTCH_Num>(value / largest * kLargestWeight) : 0));
    }
    return weights;
}

/// The graph without directions, as Scotch takes it.
struct Adjacency {
    std::vector<SCOTCH_Num> begin;
    std::vector<SCOTCH_Num> neighbour;
    std::vector<double> transfer;
};

Adjacency adjacency(const sim::Problem& problem) {
    const graph::Graph& graph = *problem.graph;
    Adjacency result;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        result.begin.push_back(static_cast<SCOTCH_Num>(result.neighbour.size()));
        for (const EdgeId edge : graph.inEdges(op)) {
            result.neighbour.push_back(graph.source(edge));
            result.transfer.push_back(problem.costs->meanTransfer(edge, graph.source(edge)));
        }
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            result.neighbour.push_back(graph.target(edge));
            result.transfer.push_back(problem.costs->meanTransfer(edge, op));
        }
    }
    result.begin.push_back(static_cast<SCOTCH_Num>(result.neighbour.size()));
    return result;
}

/// How large a part each device should get: by its speed at all ops together and its slots.
std::vector<SCOTCH_Num> partSizes(const sim::Problem& problem, bool byMemory) {
    std::vector<double> sizes;
    for (DeviceId device = 0; device < problem.deviceCount(); ++device) {
        const cluster::Device& each = problem.cluster->device(device);
        if (byMemory && each.capacityBytes > 0) {
            sizes.push_back(static_cast<double>(each.capacityBytes));
            continue;
        }
        double work = 1;
        for (OpId op = 0; op < problem.opCount(); ++op) {
            work += static_cast<double>(problem.costs->compute(op, device));
        }
        sizes.push_back(each.slots / work);
    }
    return scaled(sizes);
}

std::vector<double> opSizes(const sim::Problem& problem, bool byMemory) {
    std::vector<double> sizes;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        sizes.push_back(byMemory ? static_cast<double>(problem.graph->outputBytes(op))
                                 : problem.costs->meanCompute(op));
    }
    return sizes;
}

/// Partition of the ops into as many parts as there are devices; false if Scotch fails. Pinned ops
/// are fixed.
bool partition(const sim::Problem& problem, bool byMemory, std::vector<SCOTCH_Num>& part) {
    const Adjacency edges = adjacency(problem);
    const std::vector<SCOTCH_Num> loads = scaled(edges.transfer);
    const std::vector<SCOTCH_Num> work = scaled(opSizes(problem, byMemory));
    const std::vector<SCOTCH_Num> sizes = partSizes(problem, byMemory);

    // Scotch may keep global state, and its threads would make the result depend on chance.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    SCOTCH_Context context;
    SCOTCH_contextInit(&context);
    SCOTCH_contextThreadSpawn(&context, 1, nullptr);
    SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1);
    SCOTCH_contextRandomSeed(&context, kSeed);
    SCOTCH_contextRandomReset(&context);
    SCOTCH_Graph plain;
    SCOTCH_Graph graph;
    SCOTCH_Arch devices;
    SCOTCH_Strat strategy;
    SCOTCH_graphInit(&plain);
    SCOTCH_graphInit(&graph);
    SCOTCH_archInit(&devices);
    SCOTCH_stratInit(&strategy);
    const auto count = static_cast<SCOTCH_Num>(problem.deviceCount());
    const bool alike = std::all_of(sizes.begin(), sizes.end(),
                                   [&](SCOTCH_Num size) { return size == sizes.front(); });
    bool done =
        SCOTCH_graphBuild(&plain, 0, problem.opCount(), edges.begin.data(), nullptr, work.data(),
                          nullptr, edges.begin.back(), edges.neighbour.data(), loads.data()) == 0 &&
        SCOTCH_contextBindGraph(&context, &plain, &graph) == 0 &&
        (alike ? SCOTCH_archCmplt(&devices, count)
               : SCOTCH_archCmpltw(&devices, count, sizes.data())) == 0 &&
        SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY, count, kImbalance) == 0;
    if (done) {
        part.assign(at(problem.opCount()), -1);
        for (OpId op = 0; op < problem.opCount(); ++op) {
            part[at(op)] = problem.pin(op); // kNoDevice: free
        }
        done = (problem.pins.empty()
                    ? SCOTCH_graphMap(&graph, &devices, &strategy, part.data())
                    : SCOTCH_graphMapFixed(&graph, &devices, &strategy, part.data())) == 0;
    }
    SCOTCH_stratExit(&strategy);
    SCOTCH_archExit(&devices);
    SCOTCH_graphExit(&graph);
    SCOTCH_graphExit(&plain);
    SCOTCH_contextExit(&context);
    return done;
}

bool isTooLarge(const sim::Problem& problem) {
    return std::int64_t{problem.opCount()} + problem.graph->edgeCount() > kLargest;
}

/// Parts of the wanted sizes that follow each other in topological order.
std::vector<SCOTCH_Num> consecutiveParts(const sim::Problem& problem, bool byMemory) {
    const std::vector<double> work = opSizes(problem, byMemory);
    const std::vector<SCOTCH_Num> sizes = partSizes(problem, byMemory);
    const double perSize =
        std::accumulate(work.begin(), work.end(), 0.0) /
        static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), SCOTCH_Num{0}));
    std::vector<SCOTCH_Num> part(work.size(), 0);
    DeviceId device = 0;
    double end = perSize * static_cast<double>(sizes[0]);
    double done = 0;
    for (const OpId op : problem.graph->topologicalOrder()) {
        while (device + 1 < problem.deviceCount() && done + work[at(op)] / 2 > end) {
            end += perSize * static_cast<double>(sizes[at(++device)]);
        }
        part[at(op)] = device;
        done += work[at(op)];
    }
    return part;
}

sim::Assignment minCut(const sim::Problem& problem, MemoryCount memory, bool& failed) {
    sim::Assignment assignment(at(problem.opCount()), 0);
    std::vector<SCOTCH_Num> part;
    const bool needed = problem.deviceCount() > 1 && problem.opCount() > 0;
    const bool byMemory = memory != MemoryCount::Off;
    if (needed && isTooLarge(problem)) {
        part = consecutiveParts(problem, byMemory);
    } else {
        failed = needed && !partition(problem, byMemory, part);
    }
    for (OpId op = 0; op < problem.opCount(); ++op) {
        const DeviceId pin = problem.pin(op);
        if (pin != kNoDevice) {
            assignment[at(op)] = pin;
        } else if (needed && !failed) {
            assignment[at(op)] = static_cast<DeviceId>(
                std::clamp<SCOTCH_Num>(part[at(op)], 0, problem.deviceCount() - 1));
        }
    }
    return assignment;
}

PlaceResult place(const PlaceRequest& request) {
    bool failed = false;
    PlaceResult result =
        evaluatedWithinMemory(request, [&](const sim::Problem& problem, MemoryCount memory) {
            return minCut(problem, memory, failed);
        });
    if (isTooLarge(*request.problem)) {
        result.notes.emplace_back("more than " + std::to_string(kLargest) +
                                  " ops and edges: parts follow each other in topological order");
    } else if (failed) {
        result.notes.emplace_back("the partitioner failed: all ops are on the first device");
    }
    return result;
}

} // namespace

PlacerEntry minCutPlacer() {
    return {{.name = "min-cut",
             .description = "Parts of even work with the least transfers between them, whatever "
                            "the order of ops.",
             .source = "Scotch: Pellegrini, Roman 1996"},
            place};
}

} // namespace doppler::place
