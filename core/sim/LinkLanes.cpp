#include "core/sim/LinkLanes.h"

#include <algorithm>
#include <limits>

namespace doppler::sim {

void LinkLanes::allocate(const SimModel& model, LinkContention contention) {
    contention_ = contention;
    devices_ = SimModel::at(model.deviceCount);
    if (contention == LinkContention::None) {
        return;
    }
    const std::size_t pairs = contention == LinkContention::SharedBus ? 1 : devices_ * devices_;
    queues_.allocate(pairs, model.edgeCount);
    busy_.resize(contention == LinkContention::PerPort ? 2 * devices_ : pairs);
    if (contention == LinkContention::PerPort) {
        arrival_.resize(SimModel::at(model.edgeCount));
    }
}

void LinkLanes::reset() {
    arrivals_ = 0;
    std::fill(busy_.begin(), busy_.end(), std::uint8_t{0});
    queues_.reset();
}

void LinkLanes::setBusy(DeviceId from, DeviceId to, std::uint8_t busy) {
    switch (contention_) {
    case LinkContention::None:
        return;
    case LinkContention::PerPort:
        busy_[out(from)] = busy;
        busy_[in(to)] = busy;
        return;
    case LinkContention::PerPair:
    case LinkContention::SharedBus:
        break;
    }
    busy_[queueOf(from, to)] = busy;
}

void LinkLanes::wait(EdgeId edge, DeviceId from, DeviceId to) {
    queues_.push(queueOf(from, to), edge);
    if (contention_ == LinkContention::PerPort) {
        arrival_[SimModel::at(edge)] = arrivals_++;
    }
}

EdgeId LinkLanes::next(DeviceId from, DeviceId to) {
    if (contention_ == LinkContention::None) {
        return kNoEdge;
    }
    if (contention_ == LinkContention::PerPort) {
        return nextOfPorts(from, to);
    }
    return free(from, to) ? queues_.pop(queueOf(from, to)) : kNoEdge;
}

EdgeId LinkLanes::nextOfPorts(DeviceId from, DeviceId to) {
    EdgeId first = kNoEdge;
    std::size_t firstQueue = 0;
    const auto consider = [&](DeviceId a, DeviceId b) {
        const EdgeId edge = queues_.front(queueOf(a, b));
        if (edge == kNoEdge || !free(a, b)) {
            return;
        }
        if (first == kNoEdge || arrival_[SimModel::at(edge)] < arrival_[SimModel::at(first)]) {
            first = edge;
            firstQueue = queueOf(a, b);
        }
    };
    for (DeviceId device = 0; SimModel::at(device) < devices_; ++device) {
        consider(from, device);
        consider(device, to);
    }
    return first == kNoEdge ? kNoEdge : queues_.pop(firstQueue);
}

} // namespace doppler::sim
