#include "core/sim/Problem.h"

#include <algorithm>

#include "core/graph/InputError.h"
#include "core/graph/SaturatingMath.h"

namespace doppler::sim {

namespace {

// All ops and transfers one after the other; keeps every sum of times within 64 bits.
constexpr Time kLongestRun = 1'000'000'000'000'000'000;

void checkTimes(const graph::Graph& graph, const cost::CostTable& costs) {
    Time sum = 0;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        Time longest = 0;
        for (std::size_t cls = 0; cls < costs.deviceClasses(); ++cls) {
            longest = std::max(longest, costs.computeOfClass(op, cls));
        }
        sum = graph::saturatingAdd(sum, longest);
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        Time longest = 0;
        for (std::size_t cls = 0; cls < costs.linkClasses(); ++cls) {
            longest = std::max(longest, costs.transferOfClass(edge, graph.source(edge), cls));
        }
        sum = graph::saturatingAdd(sum, longest);
    }
    if (sum > kLongestRun) {
        throw InputError("costs",
                         "ops and transfers that take " + std::to_string(sum) + ' ' +
                             std::string(cost::name(costs.unit())) + " one after the other",
                         "at most " + std::to_string(kLongestRun) +
                             " (are the rates of the cluster in FLOP/s and bytes/s?)");
    }
}

} // namespace

std::shared_ptr<const Problem> makeProblem(std::shared_ptr<const graph::Graph> graph,
                                           std::shared_ptr<const cluster::Cluster> cluster,
                                           cost::CostModel model, const SimOptions& options) {
    auto problem = std::make_shared<Problem>();
    problem->costs = cost::makeCosts(model, *graph, *cluster);
    checkTimes(*graph, *problem->costs);
    problem->options = options;
    for (OpId op = 0; op < graph->opCount(); ++op) {
        const DeviceId pin = graph->pinnedDevice(op);
        if (pin == kNoDevice) {
            continue;
        }
        if (pin >= cluster->deviceCount()) {
            throw InputError("op \"" + graph->opName(op) + "\"",
                             "a pin to device " + std::to_string(pin),
                             "a device from 0 to " + std::to_string(cluster->deviceCount() - 1));
        }
        problem->pins.resize(static_cast<std::size_t>(graph->opCount()), kNoDevice);
        problem->pins[static_cast<std::size_t>(op)] = pin;
    }
    problem->graph = std::move(graph);
    problem->cluster = std::move(cluster);
    return problem;
}

void checkAssignment(const Problem& problem, const Assignment& assignment) {
    if (assignment.size() != static_cast<std::size_t>(problem.opCount())) {
        throw InputError("assignment", std::to_string(assignment.size()) + " entries",
                         std::to_string(problem.opCount()) + " (one for each op)");
    }
    for (std::size_t op = 0; op < assignment.size(); ++op) {
        if (assignment[op] < 0 || assignment[op] >= problem.deviceCount()) {
            throw InputError("assignment, entry " + std::to_string(op) + " (op \"" +
                                 problem.graph->opName(static_cast<OpId>(op)) + "\")",
                             "device " + std::to_string(assignment[op]),
                             "a device from 0 to " + std::to_string(problem.deviceCount() - 1));
        }
    }
}

} // namespace doppler::sim
