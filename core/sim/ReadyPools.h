#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/sim/Noise.h"
#include "core/sim/SimModel.h"

namespace doppler::sim {

/// Ready ops of each device, taken by any choice. Either take() is used throughout a run, or
/// takeFitting() and remove().
class ReadyPools {
public:
    void allocate(const SimModel& model);
    void reset(const SimModel& model, ReadyChoice choice, std::uint64_t seed,
               const DeviceId* deviceOf);

    /// `ordered`: whether take() will be used (else takeFitting()).
    void add(DeviceId device, OpId op, bool ordered);
    /// The next op by the choice, or kNoOp.
    OpId take(DeviceId device);
    /// The next op by the choice among those for which `fits(op)`, or kNoOp.
    template <class Fits>
    OpId takeFitting(DeviceId device, Fits fits) {
        const std::span<const OpId> ops = waiting(device);
        std::size_t best = ops.size();
        std::uint64_t fitting = 0;
        for (std::size_t i = 0; i < ops.size(); ++i) {
            if (!fits(ops[i])) {
                continue;
            }
            ++fitting;
            const bool better = choice_ == ReadyChoice::Random
                                    ? splitMix(random_) % fitting == 0 // each equally likely
                                    : best == ops.size() || before(ops[i], ops[best]);
            best = better ? i : best;
        }
        return best == ops.size() ? kNoOp : removeAt(device, best);
    }

    /// What waits on a device, in no order.
    std::span<const OpId> waiting(DeviceId device) const {
        return {ops_.data() + begin_[SimModel::at(device)],
                SimModel::at(size_[SimModel::at(device)])};
    }
    void remove(DeviceId device, OpId op);

private:
    bool before(OpId a, OpId b) const;
    OpId removeAt(DeviceId device, std::size_t position);

    const SimModel* model_ = nullptr;
    ReadyChoice choice_ = ReadyChoice::FirstReady;
    std::uint64_t random_ = 0;
    std::int32_t arrivals_ = 0;
    std::vector<OpId> ops_; // a part for each device
    std::vector<std::int32_t> begin_;
    std::vector<std::int32_t> size_;
    std::vector<std::int32_t> arrival_; // by op: number of its arrival
};

} // namespace doppler::sim
