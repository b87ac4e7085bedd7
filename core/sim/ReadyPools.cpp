#include "core/sim/ReadyPools.h"

#include <algorithm>
#include <utility>

namespace doppler::sim {

void ReadyPools::allocate(const SimModel& model) {
    model_ = &model;
    ops_.resize(SimModel::at(model.opCount));
    arrival_.resize(SimModel::at(model.opCount));
    begin_.resize(SimModel::at(model.deviceCount));
    size_.resize(SimModel::at(model.deviceCount));
}

void ReadyPools::reset(const SimModel& model, ReadyChoice choice, std::uint64_t seed,
                       const DeviceId* deviceOf) {
    model_ = &model;
    choice_ = choice;
    random_ = seed;
    arrivals_ = 0;
    std::fill(size_.begin(), size_.end(), 0);
    for (OpId op = 0; op < model.opCount; ++op) {
        ++size_[SimModel::at(deviceOf[op])];
    }
    std::int32_t begin = 0;
    for (std::size_t device = 0; device < size_.size(); ++device) {
        begin_[device] = begin;
        begin += std::exchange(size_[device], 0);
    }
}

bool ReadyPools::before(OpId a, OpId b) const {
    if (choice_ == ReadyChoice::CriticalPath) {
        const std::int64_t urgencyA = model_->urgency[SimModel::at(a)];
        const std::int64_t urgencyB = model_->urgency[SimModel::at(b)];
        if (urgencyA != urgencyB) {
            return urgencyA > urgencyB;
        }
    }
    const bool earlier = arrival_[SimModel::at(a)] < arrival_[SimModel::at(b)];
    return choice_ == ReadyChoice::LastReady ? !earlier : earlier;
}

void ReadyPools::add(DeviceId device, OpId op, bool ordered) {
    arrival_[SimModel::at(op)] = arrivals_++;
    OpId* first = ops_.data() + begin_[SimModel::at(device)];
    std::int32_t& size = size_[SimModel::at(device)];
    first[size++] = op;
    if (ordered && choice_ != ReadyChoice::Random) {
        std::push_heap(first, first + size, [&](OpId a, OpId b) { return before(b, a); });
    }
}

OpId ReadyPools::take(DeviceId device) {
    std::int32_t& size = size_[SimModel::at(device)];
    if (size == 0) {
        return kNoOp;
    }
    if (choice_ == ReadyChoice::Random) {
        return removeAt(device, splitMix(random_) % static_cast<std::uint64_t>(size));
    }
    OpId* first = ops_.data() + begin_[SimModel::at(device)];
    std::pop_heap(first, first + size, [&](OpId a, OpId b) { return before(b, a); });
    return first[--size];
}

void ReadyPools::remove(DeviceId device, OpId op) {
    const std::span<const OpId> ops = waiting(device);
    removeAt(device, static_cast<std::size_t>(std::find(ops.begin(), ops.end(), op) - ops.begin()));
}

OpId ReadyPools::removeAt(DeviceId device, std::size_t position) {
    OpId* first = ops_.data() + begin_[SimModel::at(device)];
    std::int32_t& size = size_[SimModel::at(device)];
    const OpId op = first[position];
    first[position] = first[--size];
    return op;
}

} // namespace doppler::sim
