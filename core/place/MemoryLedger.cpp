#include "core/place/MemoryLedger.h"

#include <algorithm>
#include <limits>

#include "core/graph/SaturatingMath.h"

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

std::int64_t largestNeed(const sim::Problem& problem) {
    const graph::Graph& graph = *problem.graph;
    std::int64_t sum = 0;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        sum = graph::saturatingAdd(sum, graph.outputBytes(op));
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        sum = graph::saturatingAdd(sum, graph.edgeBytes(edge));
    }
    for (const graph::GraphInput& input : graph.inputs()) {
        sum = graph::saturatingAdd(sum, input.bytes);
    }
    return sum;
}

bool memoryMatters(const sim::Problem& problem) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const cluster::Device& device : problem.cluster->devices()) {
        if (device.capacityBytes > 0) {
            least = std::min(least, device.capacityBytes);
        }
    }
    return least < largestNeed(problem);
}

namespace {

/// Counts a value again for every consumer elsewhere, and an input for every use: far too much, but
/// in one pass without any list.
bool fitsAtFirstGlance(const sim::Problem& problem, const sim::Assignment& assignment) {
    const graph::Graph& graph = *problem.graph;
    std::vector<std::int64_t> bytes(at(problem.deviceCount()), 0);
    for (OpId op = 0; op < problem.opCount(); ++op) {
        const DeviceId home = assignment[at(op)];
        std::int64_t largest = 0; // a copy is as large as the largest edge
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            largest = std::max(largest, graph.edgeBytes(edge));
        }
        bytes[at(home)] = graph::saturatingAdd(bytes[at(home)], graph.outputBytes(op));
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            const DeviceId to = assignment[at(graph.target(edge))];
            if (to != home) {
                bytes[at(to)] = graph::saturatingAdd(bytes[at(to)], largest);
            }
        }
        for (const graph::Use& use : graph.uses(op)) {
            if (use.fromInput) {
                bytes[at(home)] =
                    graph::saturatingAdd(bytes[at(home)], graph.inputs()[at(use.source)].bytes);
            }
        }
    }
    for (DeviceId device = 0; device < problem.deviceCount(); ++device) {
        const std::int64_t capacity = problem.cluster->device(device).capacityBytes;
        if (capacity > 0 && bytes[at(device)] > capacity) {
            return false;
        }
    }
    return true;
}

} // namespace

bool surelyFits(const sim::Problem& problem, const sim::Assignment& assignment) {
    if (fitsAtFirstGlance(problem, assignment)) {
        return true;
    }
    MemoryLedger ledger(problem, MemoryCount::Sum);
    if (!ledger.active()) {
        return true;
    }
    for (const OpId op : problem.graph->topologicalOrder()) {
        const DeviceId device = assignment[at(op)];
        if (!ledger.fits(op, device)) {
            return false;
        }
        ledger.add(op, device);
    }
    return true;
}

MemoryLedger::MemoryLedger(const sim::Problem& problem, MemoryCount count)
    : problem_(problem), count_(count) {
    if (count == MemoryCount::Off || !memoryMatters(problem)) {
        return;
    }
    used_.assign(at(problem.deviceCount()), 0);
    home_.assign(at(problem.opCount()), kNoDevice);
    copies_.resize(at(problem.opCount()));
    inputsOn_.resize(at(problem.graph->inputCount()));
    const graph::Graph& graph = *problem.graph;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        usesLeft_.push_back(graph.outDegree(op));
        std::int64_t largest = 0;
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            largest = std::max(largest, graph.edgeBytes(edge));
        }
        copyBytes_.push_back(largest);
    }
}

bool MemoryLedger::hasCopy(OpId value, DeviceId device) const {
    const auto& copies = copies_[at(value)];
    return std::find(copies.begin(), copies.end(), device) != copies.end();
}

bool MemoryLedger::needsCopy(OpId value, DeviceId device) const {
    const bool shared = problem_.options.sharing == sim::TransferSharing::PerDestination;
    return home_[at(value)] != device && !(shared && hasCopy(value, device));
}

bool MemoryLedger::readBefore(const graph::Use& use, DeviceId device) const {
    const auto& devices = inputsOn_[at(use.source)];
    return std::find(devices.begin(), devices.end(), device) != devices.end();
}

std::int64_t MemoryLedger::needed(OpId op, DeviceId device) const {
    const graph::Graph& graph = *problem_.graph;
    std::int64_t bytes = graph.outputBytes(op);
    for (const EdgeId edge : graph.inEdges(op)) {
        if (needsCopy(graph.source(edge), device)) {
            bytes += copyBytes_[at(graph.source(edge))];
        }
    }
    for (const graph::Use& use : graph.uses(op)) {
        if (use.fromInput && !readBefore(use, device)) {
            bytes += graph.inputs()[at(use.source)].bytes;
        }
    }
    return bytes;
}

std::int64_t MemoryLedger::overflow(OpId op, DeviceId device) const {
    const std::int64_t capacity = problem_.cluster->device(device).capacityBytes;
    if (capacity == 0) {
        return std::numeric_limits<std::int64_t>::min();
    }
    return used_[at(device)] + needed(op, device) - capacity;
}

void MemoryLedger::add(OpId op, DeviceId device) {
    if (!active()) {
        return;
    }
    const graph::Graph& graph = *problem_.graph;
    used_[at(device)] += needed(op, device);
    home_[at(op)] = device;
    for (const EdgeId edge : graph.inEdges(op)) {
        const OpId parent = graph.source(edge);
        if (needsCopy(parent, device)) {
            copies_[at(parent)].push_back(device);
        }
    }
    for (const graph::Use& use : graph.uses(op)) {
        if (use.fromInput && !readBefore(use, device)) {
            inputsOn_[at(use.source)].push_back(device);
        }
    }
    if (count_ == MemoryCount::Live) {
        for (const EdgeId edge : graph.inEdges(op)) {
            if (--usesLeft_[at(graph.source(edge))] == 0) {
                free(graph.source(edge));
            }
        }
        if (graph.outDegree(op) == 0) {
            free(op);
        }
    }
}

void MemoryLedger::free(OpId value) {
    used_[at(home_[at(value)])] -= problem_.graph->outputBytes(value);
    for (const DeviceId device : copies_[at(value)]) {
        used_[at(device)] -= copyBytes_[at(value)];
    }
}

} // namespace doppler::place
