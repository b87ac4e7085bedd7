#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/sim/SimModel.h"

namespace doppler::sim {

/// First-in-first-out queues of ready ops, one a device, in one flat array: an op becomes ready
/// once, so each device's part is as long as its ops are many.
class FifoQueues {
public:
    void allocate(const SimModel& model) {
        ops_.resize(SimModel::at(model.opCount));
        head_.resize(SimModel::at(model.deviceCount));
        tail_.resize(SimModel::at(model.deviceCount));
    }

    void reset(const SimModel& model, const DeviceId* deviceOf) {
        std::fill(tail_.begin(), tail_.end(), 0);
        for (OpId op = 0; op < model.opCount; ++op) {
            ++tail_[SimModel::at(deviceOf[op])];
        }
        std::int32_t begin = 0;
        for (std::size_t device = 0; device < tail_.size(); ++device) {
            head_[device] = begin;
            begin += std::exchange(tail_[device], begin);
        }
    }

    void add(DeviceId device, OpId op) { ops_[SimModel::at(tail_[SimModel::at(device)]++)] = op; }

    /// The next op, or kNoOp.
    OpId take(DeviceId device) {
        const std::size_t d = SimModel::at(device);
        return head_[d] == tail_[d] ? kNoOp : ops_[SimModel::at(head_[d]++)];
    }

private:
    std::vector<OpId> ops_;
    std::vector<std::int32_t> head_;
    std::vector<std::int32_t> tail_;
};

} // namespace doppler::sim
