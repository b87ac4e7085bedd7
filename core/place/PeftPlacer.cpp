#include <algorithm>
#include <limits>

#include "core/place/Peft.h"
#include "core/place/PlacerEntry.h"
#include "core/place/ReadyQueue.h"

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

PlaceResult place(const PlaceRequest& request) {
    return evaluatedWithinMemory(request, [](const sim::Problem& problem, MemoryCount memory) {
        return peftSchedule(problem, memory).assignment();
    });
}

} // namespace

std::vector<double> optimisticCosts(const sim::Problem& problem) {
    const graph::Graph& graph = *problem.graph;
    const std::size_t devices = at(problem.deviceCount());
    std::vector<double> table(at(problem.opCount()) * devices, 0.0);
    const std::vector<OpId>& order = graph.topologicalOrder();
    std::vector<double> through(devices); // from the child's start, by device
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
        for (EdgeId edge = graph.firstOutEdge(*op); edge < graph.endOutEdge(*op); ++edge) {
            const OpId child = graph.target(edge);
            const DeviceId pin = problem.pin(child);
            // As in the paper, a transfer counts its mean over all links.
            const double transfer = problem.costs->meanTransfer(edge, *op);
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t d = 0; d < devices; ++d) {
                const auto device = static_cast<DeviceId>(d);
                through[d] = pin == kNoDevice || pin == device
                                 ? table[at(child) * devices + d] +
                                       static_cast<double>(problem.costs->compute(child, device))
                                 : std::numeric_limits<double>::infinity();
                least = std::min(least, through[d]);
            }
            for (std::size_t d = 0; d < devices; ++d) {
                double& cost = table[at(*op) * devices + d];
                cost = std::max(cost, std::min(through[d], least + transfer));
            }
        }
    }
    return table;
}

ListSchedule peftSchedule(const sim::Problem& problem, MemoryCount memory) {
    ListSchedule schedule(problem, Insertion::IntoGaps, memory);
    const std::vector<double> table = optimisticCosts(problem);
    const std::size_t devices = at(problem.deviceCount());
    std::vector<double> rank(at(problem.opCount()), 0.0);
    for (std::size_t i = 0; i < table.size(); ++i) {
        rank[i / devices] += table[i] / static_cast<double>(devices);
    }
    constexpr std::uint64_t kTieSeed = 1; // a rule without chance: ties always fall alike
    ReadyQueue ready(*problem.graph, rank, kTieSeed);
    while (!ready.empty()) {
        const OpId op = ready.take();
        schedule.commit(op, schedule.best(op, [&](const Slot& slot) {
            return static_cast<double>(slot.end) + table[at(op) * devices + at(slot.device)];
        }));
    }
    return schedule;
}

PlacerEntry peftPlacer() {
    return {{.name = "peft",
             .description = "Where an op's end plus the least that must follow it is earliest.",
             .source = "Arabnejad, Barbosa 2014"},
            place};
}

} // namespace doppler::place
