#pragma once

#include <algorithm>

#include "core/sim/EventLoop.h"

// The loop itself, and how ops run. Included by the files that compile the loop.

namespace doppler::sim {

template <LoopKind kKind, class Recorder>
Time EventLoop<kKind, Recorder>::run() {
    reset();
    if (bulkSynchronous()) {
        releaseLevel();
    } else {
        for (const OpId op : model_.entryOps) {
            s_.events.pushNow({EventKind::Ready, op});
        }
    }
    return resume();
}

template <LoopKind kKind, class Recorder>
Time EventLoop<kKind, Recorder>::resume() {
    do {
        Event event;
        do {
            while (s_.events.popPresent(event)) {
                handle(event);
            }
            wakeAll();
        } while (s_.events.hasPresent());
        recorder_.settled(s_);
    } while (!recorder_.abandoned() && (s_.events.advance() || unblock()));
    return s_.events.now();
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::reset() {
    s_.events.reset();
    s_.missingInputs = model_.inDegree;
    s_.freeSlots = model_.slots;
    if constexpr (kKind != LoopKind::Published) {
        s_.lanes.reset();
    }
    if constexpr (!kGeneral) {
        s_.fifo.reset();
        return;
    }
    s_.pools.reset(model_, options_.choice, options_.seed, deviceOf_);
    s_.cores.reset();
    if (holds()) {
        s_.memory.reset(deviceOf_);
    }
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::handle(Event event) {
    switch (event.kind()) {
    case EventKind::Ready:
        return ready(event.id());
    case EventKind::Begin:
        return begin(event.id());
    case EventKind::End:
        return end(event.id());
    case EventKind::Release:
        return choose(event.id());
    case EventKind::Finish:
        return finish(event.id());
    case EventKind::Arrive:
        return arrive(event.id());
    case EventKind::Count:
        return count(event.id());
    }
}

/// Nothing will happen by itself any more; false if everything has run.
template <LoopKind kKind, class Recorder>
bool EventLoop<kKind, Recorder>::unblock() {
    if constexpr (kGeneral) {
        if (holds() && forceSmallestHeld()) {
            return true;
        }
        if (bulkSynchronous() && level_ + 1 < model_.levelBegin.size()) {
            releaseLevel();
            return true;
        }
    }
    return false;
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::releaseLevel() {
    if (level_ + 1 >= model_.levelBegin.size()) {
        return;
    }
    if (level_ > 0) {
        recorder_.barrier(s_.events.now());
    }
    for (std::int32_t i = model_.levelBegin[level_]; i < model_.levelBegin[level_ + 1]; ++i) {
        s_.events.pushNow({EventKind::Ready, model_.opsByLevel[at(i)]});
    }
    ++level_;
}

template <LoopKind kKind, class Recorder>
bool EventLoop<kKind, Recorder>::forceSmallestHeld() {
    OpId op = kNoOp;
    EdgeId edge = kNoEdge;
    for (DeviceId device = 0; device < model_.deviceCount; ++device) {
        for (const OpId candidate : s_.pools.waiting(device)) {
            const std::int64_t more =
                op == kNoOp ? -1 : s_.memory.outputBytes(candidate) - s_.memory.outputBytes(op);
            op = more < 0 || (more == 0 && candidate < op) ? candidate : op;
        }
        EdgeQueues& held = s_.memory.heldTransfers();
        for (EdgeId candidate = held.front(at(device)); candidate != kNoEdge;
             candidate = held.behind(candidate)) {
            const std::int64_t more =
                edge == kNoEdge ? -1 : s_.memory.copyBytes(candidate) - s_.memory.copyBytes(edge);
            edge = more < 0 || (more == 0 && candidate < edge) ? candidate : edge;
        }
    }
    if (op != kNoOp) {
        s_.pools.remove(deviceOf_[op], op);
        takeSlot(op, deviceOf_[op]);
        return true;
    }
    if (edge != kNoEdge) {
        s_.memory.heldTransfers().remove(at(receiver(edge)), edge);
        takeLaneAndRoom(edge);
        return true;
    }
    return false;
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::ready(OpId op) {
    const DeviceId device = deviceOf_[op];
    if constexpr (kGeneral) {
        s_.pools.add(device, op, !holds());
    } else {
        s_.fifo.add(device, op);
    }
    choose(device);
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::choose(DeviceId device) {
    if (choosesLate()) {
        wakeLater(device);
    } else {
        startNext(device);
    }
}

template <LoopKind kKind, class Recorder>
bool EventLoop<kKind, Recorder>::startNext(DeviceId device) {
    const OpId op = nextFor(device);
    if (op == kNoOp) {
        return false;
    }
    takeSlot(op, device);
    return true;
}

template <LoopKind kKind, class Recorder>
OpId EventLoop<kKind, Recorder>::nextFor(DeviceId device) {
    if (s_.freeSlots[at(device)] == 0) {
        return kNoOp;
    }
    if constexpr (!kGeneral) {
        return s_.fifo.take(device);
    } else if (holds()) {
        return s_.pools.takeFitting(device, [&](OpId candidate) {
            return s_.memory.fits(device, s_.memory.outputBytes(candidate));
        });
    } else {
        return s_.pools.take(device);
    }
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::takeSlot(OpId op, DeviceId device) {
    --s_.freeSlots[at(device)];
    if constexpr (kGeneral) {
        if (holds()) {
            s_.memory.addOutput(op, device);
        }
        if (!s_.cores.takeOrWait({EventKind::Begin, op})) {
            recorder_.opWaitsForCore(op, s_.events.now());
            return;
        }
    }
    next<EventKind::Begin>(op);
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::begin(OpId op) {
    const DeviceId device = deviceOf_[op];
    Time duration = model_.compute(op, device);
    if constexpr (kGeneral) {
        duration = noise_.opTime(op, duration);
    }
    const Time endsAt = s_.events.now() + duration;
    recorder_.opStarts(op, device, s_.events.now(), endsAt);
    s_.events.push(endsAt, {EventKind::End, op});
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::end(OpId op) {
    const DeviceId device = deviceOf_[op];
    ++s_.freeSlots[at(device)];
    recorder_.opEnds(op, s_.events.now());
    if (!kGeneral && !s_.events.hasPresent()) {
        endAlone(op, device);
        return;
    }
    s_.events.pushNow({EventKind::Release, device});
    s_.events.pushNow({EventKind::Finish, op});
    if constexpr (kGeneral) {
        giveCoreBack();
        if (holds() && s_.memory.dropOperands(op, deviceOf_)) {
            recorder_.freedByOp(device, op);
            memoryFreed(device);
        }
    }
}

// Release, Finish, Begin and Arrive of an end at which nothing else happens, in that order.
template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::endAlone(OpId op, DeviceId device) {
    const OpId following = nextFor(device);
    EdgeId local = send(op);
    if (following != kNoOp) {
        if (local != kNoEdge && model_.compute(following, device) == 0) {
            s_.events.pushNow({EventKind::Arrive, local}); // before the end of the next
            local = kNoEdge;
        }
        --s_.freeSlots[at(device)];
        begin(following);
    }
    if (local != kNoEdge) {
        next<EventKind::Arrive>(local);
    }
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::giveCoreBack() {
    Event next;
    if (!s_.cores.releaseTo(next)) {
        return;
    }
    if (next.kind() == EventKind::Begin) {
        s_.events.pushNow(next);
    } else {
        startTransfer(next.id());
    }
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::memoryFreed(DeviceId device) {
    if (choosesLate()) {
        wakeLater(device);
    } else {
        wake(device);
    }
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::wake(DeviceId device) {
    while (startNext(device)) {
    }
    if (holds()) {
        retryHeldTransfers(device);
    }
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::wakeLater(DeviceId device) {
    if (s_.inWakeList[at(device)] == 0) {
        s_.inWakeList[at(device)] = 1;
        s_.wakeList.push_back(device);
    }
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::wakeAll() {
    if constexpr (kGeneral) {
        for (const DeviceId device : s_.wakeList) {
            s_.inWakeList[at(device)] = 0;
            wake(device);
        }
        s_.wakeList.clear();
    }
}

} // namespace doppler::sim
