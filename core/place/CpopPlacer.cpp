#include <algorithm>

#include "core/place/Cpop.h"
#include "core/place/PlacerEntry.h"
#include "core/place/ReadyQueue.h"
#include "core/sim/PathLevels.h"

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// True for the ops of one longest path: from an entry of largest priority always on to the child
/// of largest priority.
std::vector<bool> criticalPath(const graph::Graph& graph, const std::vector<double>& priority) {
    std::vector<bool> onPath(priority.size(), false);
    OpId op = kNoOp;
    for (OpId entry = 0; entry < graph.opCount(); ++entry) {
        if (graph.inDegree(entry) == 0 && (op == kNoOp || priority[at(entry)] > priority[at(op)])) {
            op = entry;
        }
    }
    while (op != kNoOp) {
        onPath[at(op)] = true;
        OpId next = kNoOp;
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            const OpId child = graph.target(edge);
            if (next == kNoOp || priority[at(child)] > priority[at(next)]) {
                next = child;
            }
        }
        op = next;
    }
    return onPath;
}

/// The device on which the path takes least time; the first of equals.
DeviceId fastestDevice(const sim::Problem& problem, const std::vector<bool>& onPath) {
    DeviceId best = 0;
    Time least = 0;
    for (DeviceId device = 0; device < problem.deviceCount(); ++device) {
        Time sum = 0;
        for (OpId op = 0; op < problem.opCount(); ++op) {
            if (onPath[at(op)] && problem.pin(op) == kNoDevice) {
                sum += problem.costs->compute(op, device);
            }
        }
        if (device == 0 || sum < least) {
            least = sum;
            best = device;
        }
    }
    return best;
}

PlaceResult place(const PlaceRequest& request) {
    return evaluatedWithinMemory(request, [](const sim::Problem& problem, MemoryCount memory) {
        return cpopSchedule(problem, memory).assignment();
    });
}

} // namespace

ListSchedule cpopSchedule(const sim::Problem& problem, MemoryCount memory) {
    ListSchedule schedule(problem, Insertion::IntoGaps, memory);
    std::vector<double> priority = sim::bLevels(problem);
    const std::vector<double> before = sim::tLevels(problem);
    for (std::size_t op = 0; op < priority.size(); ++op) {
        priority[op] += before[op];
    }
    const std::vector<bool> onPath = criticalPath(*problem.graph, priority);
    const DeviceId pathDevice = fastestDevice(problem, onPath);
    constexpr std::uint64_t kTieSeed = 1; // a rule without chance: ties always fall alike
    ReadyQueue ready(*problem.graph, priority, kTieSeed);
    while (!ready.empty()) {
        const OpId op = ready.take();
        const bool there = onPath[at(op)] && schedule.allowed(op, pathDevice);
        schedule.commit(op,
                        there ? schedule.earliest(op, pathDevice) : schedule.earliestFinish(op));
    }
    return schedule;
}

PlacerEntry cpopPlacer() {
    return {{.name = "cpop",
             .description = "The longest path on one device, all else where it ends first.",
             .source = "Topcuoglu, Hariri, Wu 2002"},
            place};
}

} // namespace doppler::place
