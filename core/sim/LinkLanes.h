#pragma once

#include <cstdint>
#include <vector>

#include "core/sim/EdgeQueues.h"
#include "core/sim/SimModel.h"

namespace doppler::sim {

/// Who may use which link when: the lanes of a contention option and the transfers that wait for
/// them, first come first served. A transfer is known by an edge of its own.
class LinkLanes {
public:
    void allocate(const SimModel& model, LinkContention contention);
    void reset();

    bool free(DeviceId from, DeviceId to) const {
        switch (contention_) {
        case LinkContention::None:
            return true;
        case LinkContention::PerPort:
            return busy_[out(from)] == 0 && busy_[in(to)] == 0;
        case LinkContention::PerPair:
        case LinkContention::SharedBus:
            break;
        }
        return busy_[queueOf(from, to)] == 0;
    }

    void take(DeviceId from, DeviceId to) { setBusy(from, to, 1); }
    void release(DeviceId from, DeviceId to) { setBusy(from, to, 0); }

    /// `edge` waits until from -> to is free.
    void wait(EdgeId edge, DeviceId from, DeviceId to);
    /// The first waiting transfer that could use what from -> to left free, taken off its queue;
    /// kNoEdge if none.
    EdgeId next(DeviceId from, DeviceId to);

private:
    std::size_t queueOf(DeviceId from, DeviceId to) const {
        return contention_ == LinkContention::SharedBus
                   ? 0
                   : SimModel::at(from) * devices_ + SimModel::at(to);
    }
    std::size_t out(DeviceId device) const { return SimModel::at(device); }
    std::size_t in(DeviceId device) const { return devices_ + SimModel::at(device); }
    void setBusy(DeviceId from, DeviceId to, std::uint8_t busy);
    EdgeId nextOfPorts(DeviceId from, DeviceId to);

    LinkContention contention_ = LinkContention::None;
    std::size_t devices_ = 0;
    std::int32_t arrivals_ = 0;
    std::vector<std::uint8_t> busy_;    // by pair; by port (out, then in); the bus
    EdgeQueues queues_;                 // by pair; the bus
    std::vector<std::int32_t> arrival_; // by edge: order of coming, across queues
};

} // namespace doppler::sim
