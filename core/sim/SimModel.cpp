#include "core/sim/SimModel.h"

#include <cmath>
#include <numeric>

#include "core/graph/Topology.h"
#include "core/sim/PathLevels.h"

namespace doppler::sim {

SimModel::SimModel(const Problem& problem) {
    copyGraph(*problem.graph);
    copyCosts(problem);
    for (const cluster::Device& device : problem.cluster->devices()) {
        slots.push_back(device.slots);
    }
    if (problem.options.choice == ReadyChoice::CriticalPath) {
        for (const double level : bLevels(problem)) {
            urgency.push_back(std::llround(level));
        }
    }
    if (problem.options.mode == ExecutionMode::BulkSynchronous) {
        orderByLevel(*problem.graph);
    }
}

void SimModel::copyGraph(const graph::Graph& graph) {
    opCount = graph.opCount();
    edgeCount = graph.edgeCount();
    outBegin.reserve(at(opCount) + 1);
    inDegree.reserve(at(opCount));
    for (OpId op = 0; op < opCount; ++op) {
        outBegin.push_back(graph.firstOutEdge(op));
        inDegree.push_back(graph.inDegree(op));
        if (inDegree.back() == 0) {
            entryOps.push_back(op);
        }
    }
    outBegin.push_back(edgeCount);
    source.reserve(at(edgeCount));
    target.reserve(at(edgeCount));
    for (EdgeId edge = 0; edge < edgeCount; ++edge) {
        source.push_back(graph.source(edge));
        target.push_back(graph.target(edge));
    }
}

void SimModel::copyCosts(const Problem& problem) {
    const cost::CostTable& costs = *problem.costs;
    deviceCount = problem.deviceCount();
    perEdge_ = costs.perEdge();
    deviceClasses_ = costs.deviceClasses();
    linkClasses_ = costs.linkClasses();
    for (DeviceId from = 0; from < deviceCount; ++from) {
        deviceClass_.push_back(static_cast<std::uint32_t>(costs.deviceClass(from)));
        for (DeviceId to = 0; to < deviceCount; ++to) {
            linkClass_.push_back(
                from == to ? 0 : static_cast<std::uint32_t>(costs.linkClass(from, to)));
        }
    }
    compute_.reserve(at(opCount) * deviceClasses_);
    for (OpId op = 0; op < opCount; ++op) {
        for (std::size_t cls = 0; cls < deviceClasses_; ++cls) {
            compute_.push_back(costs.computeOfClass(op, cls));
        }
    }
    const std::int32_t rows = perEdge_ ? edgeCount : opCount;
    transfer_.reserve(at(rows) * linkClasses_);
    for (std::int32_t row = 0; row < rows; ++row) {
        for (std::size_t cls = 0; cls < linkClasses_; ++cls) {
            transfer_.push_back(costs.transferOfClass(row, row, cls));
        }
    }
}

void SimModel::orderByLevel(const graph::Graph& graph) {
    const std::vector<std::int32_t> levels = graph::levels(graph);
    for (const std::int32_t level : levels) {
        if (at(level) + 2 > levelBegin.size()) {
            levelBegin.resize(at(level) + 2, 0);
        }
        ++levelBegin[at(level) + 1];
    }
    std::partial_sum(levelBegin.begin(), levelBegin.end(), levelBegin.begin());
    std::vector<std::int32_t> next = levelBegin;
    opsByLevel.resize(at(opCount));
    for (OpId op = 0; op < opCount; ++op) {
        opsByLevel[at(next[at(levels[at(op)])]++)] = op;
    }
}

} // namespace doppler::sim
