#include "core/learn/RolloutProblem.h"

#include <algorithm>

#include "core/learn/AlikeOps.h"
#include "core/sim/PathLevels.h"

namespace doppler::learn {

RolloutProblem::RolloutProblem(std::shared_ptr<const sim::Problem> source,
                               const GraphFeatures& features)
    : problem(std::move(source))
    , ops(problem->opCount())
    , devices(problem->deviceCount())
    , bLevel(sim::bLevels(*problem))
    , alike(alikeOps(*problem, features)) {
    const graph::Graph& graph = *problem->graph;
    const cost::CostTable& costs = *problem->costs;
    const double scale = 1 / workPerDevice(*problem);
    likeSpeeds = costs.deviceClasses() == 1;
    linkClasses = static_cast<int>(std::max<std::size_t>(costs.linkClasses(), 1));

    bool pinned = false;
    parentBegin.push_back(0);
    childBegin.push_back(0);
    for (OpId op = 0; op < ops; ++op) {
        for (DeviceId device = 0; device < devices; ++device) {
            compute.push_back(static_cast<double>(costs.compute(op, device)) * scale);
        }
        for (const EdgeId edge : graph.inEdges(op)) {
            parent.push_back(graph.source(edge));
            for (std::size_t cls = 0; cls < static_cast<std::size_t>(linkClasses); ++cls) {
                const Time time =
                    devices > 1 ? costs.transferOfClass(edge, graph.source(edge), cls) : 0;
                transfer.push_back(static_cast<double>(time) * scale);
            }
        }
        parentBegin.push_back(static_cast<int>(parent.size()));
        inDegree.push_back(graph.inDegree(op));
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            child.push_back(graph.target(edge));
        }
        childBegin.push_back(static_cast<int>(child.size()));
        pin.push_back(problem->pin(op));
        pinned = pinned || pin.back() != kNoDevice;
    }
    for (DeviceId from = 0; from < devices; ++from) {
        slots.push_back(problem->cluster->device(from).slots);
        for (DeviceId to = 0; to < devices; ++to) {
            linkClass.push_back(from == to ? -1 : static_cast<int>(costs.linkClass(from, to)));
        }
    }
    alikeDevices = problem->cluster->isUniform() && likeSpeeds && linkClasses == 1 && !pinned;
}

} // namespace doppler::learn
