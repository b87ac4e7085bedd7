#include "core/engine/RunPlan.h"

#include <algorithm>

#include "core/sim/MemoryUse.h"

namespace doppler::engine {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

RunPlan::RunPlan(const sim::Problem& problem, const sim::Assignment& assignment) {
    const graph::Graph& graph = *problem.graph;
    copyOfEdge.assign(at(graph.edgeCount()), -1);
    users.assign(at(graph.opCount()), 0);
    for (OpId op = 0; op < graph.opCount(); ++op) {
        firstCopy.push_back(static_cast<std::int32_t>(copies.size()));
        const DeviceId from = assignment[at(op)];
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            const DeviceId to = assignment[at(graph.target(edge))];
            if (to == from) {
                ++users[at(op)];
                continue;
            }
            auto copy = std::find_if(copies.begin() + firstCopy.back(), copies.end(),
                                     [to](const PlannedCopy& other) { return other.to == to; });
            if (copy == copies.end()) {
                copies.push_back({.op = op, .from = from, .to = to});
                copy = copies.end() - 1;
                ++users[at(op)];
            }
            copy->bytes = std::max(copy->bytes, graph.edgeBytes(edge));
            ++copy->consumers;
            copyOfEdge[at(edge)] = static_cast<std::int32_t>(copy - copies.begin());
        }
    }
    firstCopy.push_back(static_cast<std::int32_t>(copies.size()));

    const auto placeOf = [&](EdgeId edge) {
        const std::int32_t copy = copyOfEdge[at(edge)];
        return copy >= 0 ? OperandPlace{OperandPlace::Kind::Copy, copy}
                         : OperandPlace{OperandPlace::Kind::Output, graph.source(edge)};
    };
    std::vector<EdgeId> edgeFrom(at(graph.opCount()), kNoEdge); // by source, of the op at hand
    for (OpId op = 0; op < graph.opCount(); ++op) {
        firstOperand.push_back(static_cast<std::int32_t>(operands.size()));
        for (const EdgeId edge : graph.inEdges(op)) {
            edgeFrom[at(graph.source(edge))] = edge;
            if (graph.uses(op).empty()) {
                operands.push_back(placeOf(edge));
            }
        }
        for (const graph::Use& use : graph.uses(op)) {
            operands.push_back(use.fromInput ? OperandPlace{OperandPlace::Kind::Input, use.source}
                                             : placeOf(edgeFrom[at(use.source)]));
        }
    }
    firstOperand.push_back(static_cast<std::int32_t>(operands.size()));

    inputBytes.assign(at(problem.deviceCount()), 0);
    std::vector<std::uint8_t> seen(inputBytes.size() * graph.inputs().size());
    sim::addInputBytes(graph, assignment, seen, inputBytes);
}

} // namespace doppler::engine
