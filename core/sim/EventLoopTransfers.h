#pragma once

#include <algorithm>
#include <utility>

#include "core/sim/EventLoop.h"

// How values get from op to op. Included by the files that compile the loop.

namespace doppler::sim {

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::finish(OpId op) {
    if (const EdgeId local = send(op); local != kNoEdge) {
        next<EventKind::Arrive>(local);
    }
}

/// Sends the output of `op` off; returns the chain of those that have it at once, if any.
template <LoopKind kKind, class Recorder>
EdgeId EventLoop<kKind, Recorder>::send(OpId op) {
    if (shared()) {
        return sendCopies(op);
    }
    if (kKind == LoopKind::Published && model_.oneTransferTimePerOp()) {
        return sendEdgesTogether(op);
    }
    sendEachEdge(op);
    return kNoEdge;
}

// Neighbouring events of the published order whose times are the same, as one.
template <LoopKind kKind, class Recorder>
EdgeId EventLoop<kKind, Recorder>::sendEdgesTogether(OpId op) {
    const EdgeId first = model_.outBegin[at(op)];
    const EdgeId last = model_.outBegin[at(op) + 1];
    if (first == last) {
        return kNoEdge;
    }
    const DeviceId device = deviceOf_[op];
    const Time now = s_.events.now();
    const Time arrivesAt = now + model_.transferOfOp(op);
    EdgeChain atOnce;
    EdgeChain later;
    for (EdgeId edge = first; edge < last; ++edge) {
        const DeviceId to = receiver(edge);
        link(to == device || arrivesAt == now ? atOnce : later, edge);
        if (Recorder::kActive && to != device) {
            recorder_.transferStarts(edge, device, to, now, arrivesAt);
        }
    }
    if (later.head != kNoEdge) {
        s_.events.push(arrivesAt, {EventKind::Arrive, later.head});
    }
    return atOnce.head;
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::sendEachEdge(OpId op) {
    const EdgeId first = model_.outBegin[at(op)];
    const EdgeId last = model_.outBegin[at(op) + 1];
    if (holds()) {
        for (EdgeId edge = first; edge < last; ++edge) {
            s_.memory.setCopy(edge, s_.memory.edgeBytes(edge), 1);
            s_.memory.setCopyOf(edge, edge);
        }
        bookOutput(op, last - first);
    }
    for (EdgeId edge = first; edge < last; ++edge) {
        s_.nextInChain[at(edge)] = kNoEdge;
        if (receiver(edge) == deviceOf_[op]) {
            s_.events.pushNow({EventKind::Arrive, edge});
        } else {
            requestTransfer(edge);
        }
    }
}

template <LoopKind kKind, class Recorder>
EdgeId EventLoop<kKind, Recorder>::sendCopies(OpId op) {
    const DeviceId device = deviceOf_[op];
    EdgeChain local;
    const EdgeId last = model_.outBegin[at(op) + 1];
    for (EdgeId edge = model_.outBegin[at(op)]; edge < last; ++edge) {
        const DeviceId to = receiver(edge);
        if (to == device) {
            link(local, edge);
            continue;
        }
        if (s_.copyTo[at(to)].head == kNoEdge) {
            s_.destinations.push_back(to);
        }
        link(s_.copyTo[at(to)], edge);
    }
    if (holds()) {
        bookCopies(op, local);
    }
    for (const DeviceId to : s_.destinations) {
        requestTransfer(std::exchange(s_.copyTo[at(to)], {}).head);
    }
    s_.destinations.clear();
    return local.head;
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::bookCopies(OpId op, EdgeChain local) {
    auto users = static_cast<std::int32_t>(s_.destinations.size());
    for (EdgeId edge = local.head; edge != kNoEdge; edge = s_.nextInChain[at(edge)]) {
        ++users;
    }
    for (const DeviceId to : s_.destinations) {
        const EdgeId copy = s_.copyTo[at(to)].head;
        std::int64_t bytes = 0;
        std::int32_t consumers = 0;
        for (EdgeId edge = copy; edge != kNoEdge; edge = s_.nextInChain[at(edge)]) {
            s_.memory.setCopyOf(edge, copy);
            bytes = std::max(bytes, s_.memory.edgeBytes(edge));
            ++consumers;
        }
        s_.memory.setCopy(copy, bytes, consumers);
    }
    bookOutput(op, users);
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::bookOutput(OpId op, std::int32_t users) {
    const DeviceId device = deviceOf_[op];
    if (s_.memory.setUsers(op, device, users)) {
        recorder_.freedByOp(device, op);
        memoryFreed(device);
    }
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::requestTransfer(EdgeId edge) {
    if constexpr (kKind == LoopKind::Published) {
        startTransfer(edge);
        return;
    }
    if (s_.lanes.free(sender(edge), receiver(edge))) {
        takeLane(edge);
    } else {
        s_.lanes.wait(edge, sender(edge), receiver(edge));
    }
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::takeLane(EdgeId edge) {
    if (holds() && !s_.memory.fits(receiver(edge), s_.memory.copyBytes(edge))) {
        s_.memory.heldTransfers().push(at(receiver(edge)), edge);
        return;
    }
    takeLaneAndRoom(edge);
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::takeLaneAndRoom(EdgeId edge) {
    s_.lanes.take(sender(edge), receiver(edge));
    if constexpr (kGeneral) {
        if (holds()) {
            s_.memory.addCopy(edge, receiver(edge));
        }
        if (!s_.cores.takeOrWait({EventKind::Arrive, edge})) {
            recorder_.transferWaitsForCore(edge);
            return;
        }
    }
    startTransfer(edge);
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::startTransfer(EdgeId edge) {
    const Time now = s_.events.now();
    const Time endsAt = now + transferTime(edge);
    recorder_.transferStarts(edge, sender(edge), receiver(edge), now, endsAt);
    s_.events.push(endsAt, {EventKind::Arrive, edge});
}

template <LoopKind kKind, class Recorder>
Time EventLoop<kKind, Recorder>::transferTime(EdgeId edge) const {
    const OpId op = model_.source[at(edge)];
    const DeviceId from = deviceOf_[op];
    const DeviceId to = receiver(edge);
    Time time = model_.transfer(edge, op, from, to);
    if (model_.transferTimesPerEdge()) {
        // A shared copy holds all that its edges carry.
        for (EdgeId other = s_.nextInChain[at(edge)]; other != kNoEdge;
             other = s_.nextInChain[at(other)]) {
            time = std::max(time, model_.transfer(other, op, from, to));
        }
    }
    return kGeneral ? noise_.transferTime(edge, time) : time;
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::retryHeldTransfers(DeviceId device) {
    EdgeQueues& held = s_.memory.heldTransfers();
    const EdgeId last = held.back(at(device));
    for (EdgeId edge = held.pop(at(device)); edge != kNoEdge; edge = held.pop(at(device))) {
        requestTransfer(edge); // goes to the back if it still does not fit
        if (edge == last) {
            return;
        }
    }
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::arrive(EdgeId edge) {
    if constexpr (kKind == LoopKind::Published) {
        if constexpr (Recorder::kActive) {
            for (EdgeId each = edge; each != kNoEdge; each = s_.nextInChain[at(each)]) {
                if (sender(each) != receiver(each)) {
                    recorder_.transferEnds(each);
                }
            }
        }
    } else if (sender(edge) != receiver(edge)) {
        arriveFromAfar(edge);
    }
    next<EventKind::Count>(edge);
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::arriveFromAfar(EdgeId edge) {
    const DeviceId from = sender(edge);
    const DeviceId to = receiver(edge);
    recorder_.transferEnds(edge);
    s_.lanes.release(from, to);
    if constexpr (kGeneral) {
        giveCoreBack();
        const OpId op = model_.source[at(edge)];
        if (holds() && s_.memory.dropUser(op, from)) {
            recorder_.freedByTransfer(from, edge);
            memoryFreed(from);
        }
    }
    for (EdgeId next = s_.lanes.next(from, to); next != kNoEdge; next = s_.lanes.next(from, to)) {
        takeLane(next);
    }
}

template <LoopKind kKind, class Recorder>
void EventLoop<kKind, Recorder>::count(EdgeId head) {
    OpId last = kNoOp; // that became ready
    for (EdgeId edge = head; edge != kNoEdge; edge = s_.nextInChain[at(edge)]) {
        const OpId op = model_.target[at(edge)];
        if (--s_.missingInputs[at(op)] > 0) {
            continue;
        }
        recorder_.opReady(op, s_.events.now(), shared() ? head : edge);
        if (bulkSynchronous()) {
            continue;
        }
        if (last != kNoOp) {
            s_.events.pushNow({EventKind::Ready, last});
        }
        last = op;
    }
    if (last != kNoOp) {
        next<EventKind::Ready>(last);
    }
}

} // namespace doppler::sim
