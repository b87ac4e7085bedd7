#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/graph/Ids.h"

namespace doppler::sim {

/// What the start of an interval waited for last.
enum class Cause : std::uint8_t {
    Nothing, ///< it could start at time 0
    Input,   ///< an input's arrival: causeInterval is the execution or transfer that brought it
    Lane,    ///< the lane was busy: causeInterval is what occupied it until then
    Memory,  ///< memory was full: causeInterval freed it (or -1)
    Barrier, ///< bulk-synchronous: causeInterval ended the previous level last
    Core,    ///< shared processors were busy: causeInterval freed one
};

/// "nothing", "input", "lane", "memory", "barrier", "core".
std::string_view name(Cause cause);

/// An execution of an op on a device, or a transfer of its output to another device.
struct Interval {
    OpId op = kNoOp;             ///< the op that runs, or whose output moves
    DeviceId device = kNoDevice; ///< where it runs, or the sender
    DeviceId to = kNoDevice;     ///< receiver of a transfer; kNoDevice for an execution
    std::int32_t slot = 0;       ///< compute slot of an execution
    EdgeId edge = kNoEdge;       ///< the edge of an unshared transfer
    Time ready = 0;              ///< all inputs there; for a transfer: its value is produced
    Time start = 0;
    Time end = 0;
    Cause cause = Cause::Nothing;
    std::int32_t causeInterval = -1; ///< index into Timeline::intervals
    std::int32_t lastInput = -1;     ///< interval that brought the last input, or -1

    bool isTransfer() const { return to != kNoDevice; }
};

/// Everything that happened in one run, simulated or real; ordered by (start, order of events).
struct Timeline {
    std::vector<Interval> intervals;
    int deviceCount = 0;
    Time makespan = 0;                     ///< end of the last interval
    std::vector<std::int64_t> peakMemory;  ///< bytes per device
    std::vector<std::int32_t> executionOf; ///< by op: index of its execution in intervals

    const Interval& execution(OpId op) const {
        return intervals[static_cast<std::size_t>(executionOf[static_cast<std::size_t>(op)])];
    }
};

} // namespace doppler::sim
