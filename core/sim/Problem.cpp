#include "core/sim/Problem.h"

#include "core/graph/InputError.h"

namespace doppler::sim {

std::shared_ptr<const Problem> makeProblem(std::shared_ptr<const graph::Graph> graph,
                                           std::shared_ptr<const cluster::Cluster> cluster,
                                           cost::CostModel model, const SimOptions& options) {
    auto problem = std::make_shared<Problem>();
    problem->costs = cost::makeCosts(model, *graph, *cluster);
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
