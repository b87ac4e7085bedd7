#include "core/engine/LinkQueues.h"

#include <algorithm>

namespace doppler::engine {

using sim::LinkContention;

LinkQueues::LinkQueues(int deviceCount, LinkContention contention)
    : devices_(at(deviceCount)), contention_(contention) {
    for (DeviceId from = 0; from < deviceCount; ++from) {
        for (DeviceId to = 0; to < deviceCount; ++to) {
            pairs_.push_back({.from = from, .to = to});
        }
    }
    out_.resize(devices_);
    in_.resize(devices_);
    waitingPairs_.reserve(pairs_.size());
}

void LinkQueues::reset(std::size_t copies) {
    for (Pair& pair : pairs_) {
        pair = {.from = pair.from, .to = pair.to};
    }
    std::fill(out_.begin(), out_.end(), Port{});
    std::fill(in_.begin(), in_.end(), Port{});
    bus_ = {};
    waitingPairs_.clear();
    next_.assign(copies, -1);
    arrival_.assign(copies, -1);
    arrivals_ = 0;
    ends_ = 0;
}

void LinkQueues::add(std::int32_t copy, const PlannedCopy& planned) {
    arrival_[at(copy)] = arrivals_++;
    const std::size_t number = pairOf(planned.from, planned.to);
    Pair& pair = pairs_[number];
    if (pair.first < 0) {
        pair.first = copy;
        waitingPairs_.push_back(number);
    } else {
        next_[at(pair.last)] = copy;
    }
    pair.last = copy;
}

bool LinkQueues::isFree(const Pair& pair) const {
    switch (contention_) {
    case LinkContention::None:
        return true;
    case LinkContention::PerPair:
        return !pair.busy;
    case LinkContention::PerPort:
        return !out_[at(pair.from)].busy && !in_[at(pair.to)].busy;
    case LinkContention::SharedBus:
        break;
    }
    return !bus_.busy;
}

void LinkQueues::setBusy(Pair& pair, bool busy) {
    pair.busy = busy;
    out_[at(pair.from)].busy = busy;
    in_[at(pair.to)].busy = busy;
    bus_.busy = busy;
}

void LinkQueues::remove(Pair& pair, std::int32_t copy, std::int32_t before) {
    const std::int32_t behind = next_[at(copy)];
    (before < 0 ? pair.first : next_[at(before)]) = behind;
    if (pair.last == copy) {
        pair.last = before;
    }
    if (pair.first < 0) {
        std::erase(waitingPairs_, pairOf(pair.from, pair.to));
    }
    setBusy(pair, true);
}

void LinkQueues::give(std::int32_t copy, const PlannedCopy& planned) {
    Pair& pair = pairs_[pairOf(planned.from, planned.to)];
    setBusy(pair, false);
    pair.lastEnded = copy;
    const Port ended{.busy = false, .lastEnded = copy, .ended = ++ends_};
    out_[at(pair.from)] = in_[at(pair.to)] = bus_ = ended;
}

std::int32_t LinkQueues::lastOn(const PlannedCopy& planned) const {
    const Port& out = out_[at(planned.from)];
    const Port& in = in_[at(planned.to)];
    switch (contention_) {
    case LinkContention::None:
        return -1;
    case LinkContention::PerPair:
        return pairs_[pairOf(planned.from, planned.to)].lastEnded;
    case LinkContention::PerPort:
        return out.ended > in.ended ? out.lastEnded : in.lastEnded;
    case LinkContention::SharedBus:
        break;
    }
    return bus_.lastEnded;
}

std::int32_t LinkQueues::oldest() const {
    std::int32_t oldest = -1;
    for (const std::size_t number : waitingPairs_) {
        const std::int32_t first = pairs_[number].first;
        if (oldest < 0 || arrival_[at(first)] < arrival_[at(oldest)]) {
            oldest = first;
        }
    }
    return oldest;
}

} // namespace doppler::engine
