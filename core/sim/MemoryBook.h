#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/sim/EdgeQueues.h"
#include "core/sim/Problem.h"
#include "core/sim/SimModel.h"

namespace doppler::sim {

/// What lies in each device's memory during a run in which ops are held back. The rules are those
/// of peakMemory() (core/sim/MemoryUse.h), in the order of events.
class MemoryBook {
public:
    void allocate(const Problem& problem, const SimModel& model);
    /// Nothing but the graph inputs that each device uses.
    void reset(const DeviceId* deviceOf);

    std::int64_t outputBytes(OpId op) const { return outputBytes_[SimModel::at(op)]; }
    bool fits(DeviceId device, std::int64_t bytes) const {
        const std::size_t d = SimModel::at(device);
        return capacity_[d] == 0 || used_[d] + bytes <= capacity_[d];
    }

    /// The output of `op` is allocated as it starts.
    void addOutput(OpId op, DeviceId device) { used_[SimModel::at(device)] += outputBytes(op); }
    /// `op` has ended: its output has `users` (local consumers and outgoing transfers).
    /// True if it was freed at once.
    bool setUsers(OpId op, DeviceId device, std::int32_t users);
    /// One user less; true if the output was freed.
    bool dropUser(OpId op, DeviceId device);

    /// A transfer that `edge` stands for will bring a copy for that many consumers.
    void setCopy(EdgeId edge, std::int64_t bytes, std::int32_t users);
    /// `edge` reads the copy that `copy` stands for.
    void setCopyOf(EdgeId edge, EdgeId copy) { copyOf_[SimModel::at(edge)] = copy; }
    std::int64_t copyBytes(EdgeId copy) const { return copyBytes_[SimModel::at(copy)]; }
    std::int64_t edgeBytes(EdgeId edge) const { return edgeBytes_[SimModel::at(edge)]; }
    void addCopy(EdgeId copy, DeviceId device) { used_[SimModel::at(device)] += copyBytes(copy); }

    /// `op` has ended on `device` and needs its operands no more; true if anything was freed.
    bool dropOperands(OpId op, const DeviceId* deviceOf);

    /// Transfers that wait for room, by the device they go to.
    EdgeQueues& heldTransfers() { return held_; }

private:
    std::shared_ptr<const graph::Graph> graph_;
    std::vector<std::int64_t> capacity_;
    std::vector<std::int64_t> outputBytes_;
    std::vector<std::int64_t> edgeBytes_;
    std::vector<std::int64_t> used_;
    std::vector<std::int32_t> users_;     // by op
    std::vector<std::int32_t> copyUsers_; // by edge that stands for a transfer
    std::vector<std::int64_t> copyBytes_;
    std::vector<EdgeId> copyOf_;
    EdgeQueues held_;
    std::vector<std::uint8_t> inputSeen_; // device x graph input
};

} // namespace doppler::sim
