#pragma once

#include <limits>
#include <vector>

#include "core/place/MemoryLedger.h"
#include "core/sim/Problem.h"

namespace doppler::place {

/// A free stretch of time of one compute slot.
struct Gap {
    Time begin = 0;
    Time end = std::numeric_limits<Time>::max();
};

/// Where and when an op could run.
struct Slot {
    DeviceId device = kNoDevice;
    int lane = 0;
    Time start = 0;
    Time end = 0;
};

/// Whether an op may start in a gap between ops that are already planned.
enum class Insertion : std::uint8_t { Append, IntoGaps };

/// A schedule as list schedulers build it: op after op, each after its parents, transfers without
/// contention.
class ListSchedule {
public:
    ListSchedule(const sim::Problem& problem, Insertion insertion,
                 MemoryCount memory = MemoryCount::Off);

    /// When all inputs of `op` are on `device`. Its parents must be planned.
    Time inputsThere(OpId op, DeviceId device) const;

    /// The earliest slot of `device` for `op`.
    Slot earliest(OpId op, DeviceId device) const;

    /// The devices an op may use: its pin, or all.
    DeviceId firstDevice(OpId op) const;
    DeviceId endDevice(OpId op) const;

    /// Whether `op` may go to `device`: not pinned elsewhere, and there is room, or no device has
    /// room and this one lacks least. Its parents must be planned.
    bool allowed(OpId op, DeviceId device) const;

    /// The allowed slot for which `rank(slot)` is least; the first of equals.
    template <typename Rank>
    Slot best(OpId op, Rank rank) const {
        Slot best;
        for (DeviceId device = firstDevice(op); device < endDevice(op); ++device) {
            if (allowed(op, device)) {
                const Slot slot = earliest(op, device);
                if (best.device == kNoDevice || rank(slot) < rank(best)) {
                    best = slot;
                }
            }
        }
        return best;
    }

    /// The slot of earliest finish over the allowed devices; the first of equals.
    Slot earliestFinish(OpId op) const {
        return best(op, [](const Slot& slot) { return slot.end; });
    }

    /// When the first slot of `device` is free for good. Only without insertion.
    Time freeAt(DeviceId device) const;

    /// The device the op may use that is too small by least, where every one is too small.
    DeviceId leastOverflow(OpId op) const;

    void commit(OpId op, const Slot& slot);

    const sim::Assignment& assignment() const { return device_; }
    Time start(OpId op) const { return start_[static_cast<std::size_t>(op)]; }
    Time end(OpId op) const { return end_[static_cast<std::size_t>(op)]; }
    /// End of the last planned op.
    Time length() const { return length_; }

private:
    Slot inLane(const std::vector<Gap>& lane, Time ready, Time duration) const;

    const sim::Problem& problem_;
    Insertion insertion_;
    MemoryLedger memory_;
    std::vector<std::vector<std::vector<Gap>>> gaps_; // by device and lane, in order of time
    sim::Assignment device_;
    std::vector<Time> start_;
    std::vector<Time> end_;
    Time length_ = 0;
};

} // namespace doppler::place
