#pragma once

#include <cstdint>
#include <vector>

#include "core/sim/SimModel.h"
#include "core/sim/Timeline.h"

namespace doppler::sim {

struct SimScratch;

/// Listens to nothing: what makespan() runs with.
struct NoRecorder {
    static constexpr bool kActive = false;
    void opReady(OpId, Time, EdgeId) {}
    void opStarts(OpId, DeviceId, Time, Time) {}
    void opEnds(OpId, Time) {}
    void transferStarts(EdgeId, DeviceId, DeviceId, Time, Time) {}
    void transferEnds(EdgeId) {}
    void opWaitsForCore(OpId, Time) {}
    void transferWaitsForCore(EdgeId) {}
    void freedByOp(DeviceId, OpId) {}
    void freedByTransfer(DeviceId, EdgeId) {}
    void barrier(Time) {}
    /// All that happens at a point in time has happened.
    static void settled(const SimScratch&) {}
    /// True ends the run early; asked once a point in time.
    static constexpr bool abandoned() { return false; }
};

/// Builds the timeline of a run, and finds what each start waited for.
class TimelineRecorder {
public:
    static constexpr bool kActive = true;

    TimelineRecorder(const SimModel& model, const SimOptions& options, const DeviceId* deviceOf);

    /// The last input of `op` came over `via` (an edge that stands for its transfer).
    void opReady(OpId op, Time now, EdgeId via);
    void opStarts(OpId op, DeviceId device, Time now, Time end);
    void opEnds(OpId op, Time now);
    void transferStarts(EdgeId edge, DeviceId from, DeviceId to, Time now, Time end);
    void transferEnds(EdgeId edge);
    /// It has all it needs to start but a processor.
    void opWaitsForCore(OpId op, Time now);
    void transferWaitsForCore(EdgeId edge) { transferWaitedForCore_[at(edge)] = true; }
    /// Memory of `device` was freed by the end of an execution or transfer.
    void freedByOp(DeviceId device, OpId op) {
        devices_[at(device)].freedBy = executionOf_[at(op)];
    }
    void freedByTransfer(DeviceId device, EdgeId edge) {
        devices_[at(device)].freedBy = transferOf_[at(edge)];
    }
    /// Bulk-synchronous: the next level begins.
    void barrier(Time now);
    static void settled(const SimScratch&) {}
    static constexpr bool abandoned() { return false; }

    /// All but the peak memory.
    Timeline take(Time makespan);

private:
    struct Slot {
        std::int32_t last = -1; // interval that ended here last
        bool busy = false;
    };
    struct DeviceLanes {
        std::int32_t firstSlot = 0;
        std::int32_t slots = 1;
        std::int32_t busySlots = 0;
        Time fullUntil = -1;       // when it last had no free slot
        std::int32_t lastOut = -1; // transfer out that ended last
        std::int32_t lastIn = -1;  // transfer in that ended last
        std::int32_t freedBy = -1; // interval that last freed memory here
    };

    static std::size_t at(std::int32_t id) { return SimModel::at(id); }
    bool endedAt(std::int32_t interval, Time time) const {
        return interval >= 0 && intervals_[at(interval)].end == time;
    }
    std::int32_t takeSlot(DeviceLanes& lanes, Time now);
    std::int32_t laneFreedBy(DeviceId from, DeviceId to, Time now) const;
    void explain(Interval& interval, std::int32_t lane, DeviceId memoryOf, bool waitedForCore);

    const SimModel& model_;
    const SimOptions& options_;
    const DeviceId* deviceOf_;
    std::vector<Interval> intervals_;
    std::vector<std::int32_t> executionOf_; // by op
    std::vector<std::int32_t> transferOf_;  // by edge that stands for a transfer
    std::vector<Time> readyAt_;             // by op
    std::vector<std::int32_t> lastInput_;   // by op
    std::vector<std::int32_t> keptSlot_;    // by op that waits for a core, else -1
    std::vector<bool> transferWaitedForCore_;
    std::vector<DeviceLanes> devices_;
    std::vector<Slot> slots_;              // of all devices
    std::vector<std::int32_t> lastOfPair_; // transfer that ended last
    std::int32_t lastEnded_ = -1;
    std::int32_t lastTransfer_ = -1; // that ended
    Time levelStart_ = -1;           // of the level after a barrier
    std::int32_t levelEndedBy_ = -1;
};

} // namespace doppler::sim
