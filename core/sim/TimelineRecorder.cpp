#include "core/sim/TimelineRecorder.h"

#include <utility>

namespace doppler::sim {

TimelineRecorder::TimelineRecorder(const SimModel& model, const SimOptions& options,
                                   const DeviceId* deviceOf)
    : model_(model), options_(options), deviceOf_(deviceOf) {
    const std::size_t devices = at(model.deviceCount);
    intervals_.reserve(at(model.opCount) + at(model.edgeCount));
    executionOf_.assign(at(model.opCount), -1);
    transferOf_.assign(at(model.edgeCount), -1);
    readyAt_.assign(at(model.opCount), 0);
    lastInput_.assign(at(model.opCount), -1);
    lastOfPair_.assign(devices * devices, -1);
    keptSlot_.assign(at(model.opCount), -1);
    transferWaitedForCore_.assign(at(model.edgeCount), false);
    for (const std::int32_t count : model.slots) {
        DeviceLanes lanes;
        lanes.firstSlot = static_cast<std::int32_t>(slots_.size());
        lanes.slots = count;
        devices_.push_back(lanes);
        slots_.resize(slots_.size() + at(count));
    }
}

void TimelineRecorder::opReady(OpId op, Time now, EdgeId via) {
    const OpId source = model_.source[at(via)];
    const bool local = deviceOf_[source] == deviceOf_[op];
    readyAt_[at(op)] = now;
    lastInput_[at(op)] = local ? executionOf_[at(source)] : transferOf_[at(via)];
}

void TimelineRecorder::opStarts(OpId op, DeviceId device, Time now, Time end) {
    DeviceLanes& lanes = devices_[at(device)];
    const bool waitedForCore = keptSlot_[at(op)] >= 0;
    const bool wasFull = lanes.fullUntil == now;
    const std::int32_t slot = waitedForCore ? keptSlot_[at(op)] : takeSlot(lanes, now);
    Interval interval;
    interval.op = op;
    interval.device = device;
    interval.slot = slot;
    interval.ready = readyAt_[at(op)];
    interval.start = now;
    interval.end = end;
    interval.lastInput = lastInput_[at(op)];
    if (levelStart_ == now) {
        interval.cause = Cause::Barrier;
        interval.causeInterval = levelEndedBy_;
    } else {
        explain(interval, wasFull ? slots_[at(lanes.firstSlot + slot)].last : -1, device,
                waitedForCore);
    }
    executionOf_[at(op)] = static_cast<std::int32_t>(intervals_.size());
    intervals_.push_back(interval);
}

void TimelineRecorder::opWaitsForCore(OpId op, Time now) {
    keptSlot_[at(op)] = takeSlot(devices_[at(deviceOf_[op])], now);
}

void TimelineRecorder::opEnds(OpId op, Time now) {
    const std::int32_t index = executionOf_[at(op)];
    const Interval& interval = intervals_[at(index)];
    DeviceLanes& lanes = devices_[at(interval.device)];
    slots_[at(lanes.firstSlot + interval.slot)] = {index, false};
    if (lanes.busySlots-- == lanes.slots) {
        lanes.fullUntil = now;
    }
    lastEnded_ = index;
}

void TimelineRecorder::transferStarts(EdgeId edge, DeviceId from, DeviceId to, Time now, Time end) {
    Interval interval;
    interval.op = model_.source[at(edge)];
    interval.device = from;
    interval.to = to;
    interval.edge = options_.sharing == TransferSharing::PerEdge ? edge : kNoEdge;
    interval.lastInput = executionOf_[at(interval.op)];
    interval.ready = intervals_[at(interval.lastInput)].end;
    interval.start = now;
    interval.end = end;
    explain(interval, laneFreedBy(from, to, now), to, transferWaitedForCore_[at(edge)]);
    transferOf_[at(edge)] = static_cast<std::int32_t>(intervals_.size());
    intervals_.push_back(interval);
}

void TimelineRecorder::transferEnds(EdgeId edge) {
    const std::int32_t index = transferOf_[at(edge)];
    const Interval& interval = intervals_[at(index)];
    devices_[at(interval.device)].lastOut = index;
    devices_[at(interval.to)].lastIn = index;
    lastOfPair_[at(interval.device) * devices_.size() + at(interval.to)] = index;
    lastEnded_ = index;
    lastTransfer_ = index;
}

void TimelineRecorder::barrier(Time now) {
    levelStart_ = now;
    levelEndedBy_ = lastEnded_;
}

// A waiting op takes the slot that has just become free, so that the wait can be seen.
std::int32_t TimelineRecorder::takeSlot(DeviceLanes& lanes, Time now) {
    std::int32_t choice = -1;
    for (std::int32_t slot = 0; slot < lanes.slots; ++slot) {
        const Slot& candidate = slots_[at(lanes.firstSlot + slot)];
        if (candidate.busy) {
            continue;
        }
        if (endedAt(candidate.last, now)) {
            choice = slot;
            break;
        }
        choice = choice < 0 ? slot : choice;
    }
    slots_[at(lanes.firstSlot + choice)].busy = true;
    ++lanes.busySlots;
    return choice;
}

std::int32_t TimelineRecorder::laneFreedBy(DeviceId from, DeviceId to, Time now) const {
    switch (options_.contention) {
    case LinkContention::None:
        return -1;
    case LinkContention::PerPair:
        return lastOfPair_[at(from) * devices_.size() + at(to)];
    case LinkContention::PerPort:
        return endedAt(devices_[at(from)].lastOut, now) ? devices_[at(from)].lastOut
                                                        : devices_[at(to)].lastIn;
    case LinkContention::SharedBus:
        break;
    }
    return lastTransfer_;
}

void TimelineRecorder::explain(Interval& interval, std::int32_t lane, DeviceId memoryOf,
                               bool waitedForCore) {
    const Time now = interval.start;
    if (interval.ready == now) {
        interval.cause = interval.lastInput < 0 ? Cause::Nothing : Cause::Input;
        interval.causeInterval = interval.lastInput;
    } else if (waitedForCore) {
        interval.cause = Cause::Core;
        interval.causeInterval = lastEnded_;
    } else if (endedAt(lane, now)) {
        interval.cause = Cause::Lane;
        interval.causeInterval = lane;
    } else {
        interval.cause = Cause::Memory;
        const std::int32_t freedBy = devices_[at(memoryOf)].freedBy;
        interval.causeInterval = endedAt(freedBy, now) ? freedBy : lastEnded_;
    }
}

Timeline TimelineRecorder::take(Time makespan) {
    Timeline timeline;
    timeline.intervals = std::move(intervals_);
    timeline.deviceCount = model_.deviceCount;
    timeline.makespan = makespan;
    timeline.executionOf = std::move(executionOf_);
    return timeline;
}

} // namespace doppler::sim
