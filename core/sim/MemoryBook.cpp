#include "core/sim/MemoryBook.h"

#include <algorithm>

#include "core/sim/MemoryUse.h"

namespace doppler::sim {

void MemoryBook::allocate(const Problem& problem, const SimModel& model) {
    graph_ = problem.graph;
    for (const cluster::Device& device : problem.cluster->devices()) {
        capacity_.push_back(device.capacityBytes);
    }
    for (OpId op = 0; op < model.opCount; ++op) {
        outputBytes_.push_back(graph_->outputBytes(op));
    }
    for (EdgeId edge = 0; edge < model.edgeCount; ++edge) {
        edgeBytes_.push_back(graph_->edgeBytes(edge));
    }
    const std::size_t edges = edgeBytes_.size();
    used_.resize(capacity_.size());
    users_.resize(outputBytes_.size());
    copyUsers_.resize(edges);
    copyBytes_.resize(edges);
    copyOf_.resize(edges);
    held_.allocate(capacity_.size(), model.edgeCount);
    inputSeen_.resize(capacity_.size() * graph_->inputs().size());
}

void MemoryBook::reset(const DeviceId* deviceOf) {
    std::fill(used_.begin(), used_.end(), 0);
    held_.reset();
    addInputBytes(*graph_, {deviceOf, users_.size()}, inputSeen_, used_);
}

bool MemoryBook::setUsers(OpId op, DeviceId device, std::int32_t users) {
    users_[SimModel::at(op)] = users;
    if (users > 0) {
        return false;
    }
    used_[SimModel::at(device)] -= outputBytes(op);
    return true;
}

bool MemoryBook::dropUser(OpId op, DeviceId device) {
    return setUsers(op, device, users_[SimModel::at(op)] - 1);
}

void MemoryBook::setCopy(EdgeId edge, std::int64_t bytes, std::int32_t users) {
    copyBytes_[SimModel::at(edge)] = bytes;
    copyUsers_[SimModel::at(edge)] = users;
}

bool MemoryBook::dropOperands(OpId op, const DeviceId* deviceOf) {
    const DeviceId device = deviceOf[op];
    bool freed = false;
    for (const EdgeId edge : graph_->inEdges(op)) {
        const OpId source = graph_->source(edge);
        if (deviceOf[source] == device) {
            freed |= dropUser(source, device);
            continue;
        }
        const EdgeId copy = copyOf_[SimModel::at(edge)];
        if (--copyUsers_[SimModel::at(copy)] == 0) {
            used_[SimModel::at(device)] -= copyBytes(copy);
            freed = true;
        }
    }
    return freed;
}

} // namespace doppler::sim
