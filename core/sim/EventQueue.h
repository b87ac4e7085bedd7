#pragma once

#include <cstdint>
#include <memory>

#include "core/graph/Ids.h"
#include "core/sim/KeyHeap.h"

namespace doppler::sim {

/// What happens to an op, an edge or a device. The published simulator's events (the note in its
/// golden file); one event stands for neighbouring ones of the same kind.
enum class EventKind : std::uint32_t {
    Ready,   ///< op: joins its device's queue
    Begin,   ///< op: starts to run
    End,     ///< op: has run
    Release, ///< device: may take the next op
    Finish,  ///< op: its output is there, sends it on
    Arrive,  ///< edge, first of a chain: the value has reached its consumers' device
    Count,   ///< edge, first of a chain: each consumer counts an input
};

/// An event kind and the id it is about, in 32 bits.
struct Event {
    static constexpr std::uint32_t kKindBits = 3;
    static constexpr std::int32_t kMaximumId = (1 << (32 - kKindBits - 1)) - 1;

    std::uint32_t code = 0;

    Event() = default;
    Event(EventKind kind, std::int32_t id)
        : code(static_cast<std::uint32_t>(id) << kKindBits | static_cast<std::uint32_t>(kind)) {}

    EventKind kind() const { return static_cast<EventKind>(code & ((1U << kKindBits) - 1)); }
    std::int32_t id() const { return static_cast<std::int32_t>(code >> kKindBits); }
};

/// Events ordered by (time, insertion). Those of the present are a plain first-in-first-out list;
/// only those of the future need a heap. Push never goes back in time.
class EventQueue {
public:
    /// Room for the events of one run.
    void allocate(std::size_t ops, std::size_t edges) {
        present_ =
            std::make_unique_for_overwrite<Event[]>(kEventsPerOp * ops + kEventsPerEdge * edges);
        future_.reserve(ops + edges);
    }

    void reset() {
        now_ = 0;
        sequence_ = 0;
        head_ = 0;
        tail_ = 0;
        future_.clear();
    }

    /// Takes over what `other` has for the future; in neither of both is anything left to do at
    /// present.
    void copySettled(const EventQueue& other) {
        now_ = other.now_;
        sequence_ = other.sequence_;
        head_ = 0;
        tail_ = 0;
        future_ = other.future_;
    }

    Time now() const { return now_; }

    void pushNow(Event event) { present_[tail_++] = event; }

    void push(Time time, Event event) {
        if (time == now_) {
            pushNow(event);
            return;
        }
        future_.insert(key(time, event));
    }

    bool hasPresent() const { return head_ != tail_; }

    /// Takes the next event of the present; false if there is none left.
    bool popPresent(Event& event) {
        if (head_ == tail_) {
            head_ = 0;
            tail_ = 0;
            return false;
        }
        event = present_[head_++];
        return true;
    }

    /// Moves to the next point in time that has events; false if there is none.
    bool advance() {
        if (future_.empty()) {
            return false;
        }
        now_ = timeOf(future_.first());
        do {
            present_[tail_++].code = static_cast<std::uint32_t>(future_.first());
            future_.removeFirst();
        } while (!future_.empty() && timeOf(future_.first()) == now_);
        return true;
    }

private:
    // Time, insertion number and event in one integer: a single comparison orders two events.
    using Key = KeyHeap::Key;
    static constexpr std::size_t kEventsPerOp = 5;   // Ready, Begin, End, Release, Finish
    static constexpr std::size_t kEventsPerEdge = 2; // Arrive, Count

    Key key(Time time, Event event) {
        return static_cast<Key>(time) << 64 | static_cast<Key>(sequence_++) << 32 | event.code;
    }
    static Time timeOf(Key key) { return static_cast<Time>(key >> 64); }

    Time now_ = 0;
    std::uint32_t sequence_ = 0;
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
    std::unique_ptr<Event[]> present_;
    KeyHeap future_;
};

} // namespace doppler::sim
