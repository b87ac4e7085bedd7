#pragma once

#include <algorithm>
#include <vector>

#include "core/sim/SimModel.h"

namespace doppler::sim {

/// First-in-first-out queues of ready ops, one a device, threaded through one array: an op becomes
/// ready once. What they hold does not depend on what will be added.
class FifoQueues {
public:
    void allocate(const SimModel& model) {
        behind_.resize(SimModel::at(model.opCount));
        ends_.resize(SimModel::at(model.deviceCount));
    }

    void reset() { std::fill(ends_.begin(), ends_.end(), Ends{}); }

    void add(DeviceId device, OpId op) {
        Ends& ends = ends_[SimModel::at(device)];
        behind_[SimModel::at(op)] = kNoOp;
        (ends.front == kNoOp ? ends.front : behind_[SimModel::at(ends.back)]) = op;
        ends.back = op;
    }

    /// The next op, or kNoOp.
    OpId take(DeviceId device) {
        Ends& ends = ends_[SimModel::at(device)];
        const OpId op = ends.front;
        if (op != kNoOp) {
            ends.front = behind_[SimModel::at(op)];
        }
        return op;
    }

private:
    struct Ends {
        OpId front = kNoOp;
        OpId back = kNoOp;
    };
    std::vector<OpId> behind_; // by op
    std::vector<Ends> ends_;   // by device
};

} // namespace doppler::sim
