#pragma once

#include <cstdint>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::place {

/// How a rule that plans op after op counts what lies on a device.
enum class MemoryCount : std::uint8_t {
    Off,  ///< not at all
    Live, ///< a value until all its consumers are planned: about what a run holds at once
    Sum,  ///< every value that ever comes: more than any run holds, so what fits here fits
};

/// Bytes on each device while ops are planned, parents first: outputs, copies of inputs from other
/// devices, and the graph inputs that ops read. Everything fits where capacities are unlimited or
/// larger than all bytes together.
class MemoryLedger {
public:
    MemoryLedger(const sim::Problem& problem, MemoryCount count);

    /// False if every op fits everywhere.
    bool active() const { return !used_.empty(); }

    /// Bytes by which `device` would be too small with `op`; 0 or less: it fits.
    std::int64_t overflow(OpId op, DeviceId device) const;
    bool fits(OpId op, DeviceId device) const { return !active() || overflow(op, device) <= 0; }

    /// Parents must be planned.
    void add(OpId op, DeviceId device);

private:
    bool hasCopy(OpId value, DeviceId device) const;
    bool needsCopy(OpId value, DeviceId device) const;
    bool readBefore(const graph::Use& use, DeviceId device) const;
    std::int64_t needed(OpId op, DeviceId device) const;
    void free(OpId value);

    const sim::Problem& problem_;
    MemoryCount count_;
    std::vector<std::int64_t> used_; // by device; empty: nothing to count
    std::vector<DeviceId> home_;     // by op
    std::vector<std::int32_t> usesLeft_;
    std::vector<std::int64_t> copyBytes_;         // by op
    std::vector<std::vector<DeviceId>> copies_;   // by op
    std::vector<std::vector<DeviceId>> inputsOn_; // by graph input
};

/// Bytes that all ops together could need at most on any device: what must fit everywhere for
/// memory to play no part.
std::int64_t largestNeed(const sim::Problem& problem);

/// True if some device has a capacity below largestNeed().
bool memoryMatters(const sim::Problem& problem);

/// True if everything that a placement ever brings to each device fits it together: then no run of
/// it can overflow. False says nothing. Far quicker than a run that counts memory.
bool surelyFits(const sim::Problem& problem, const sim::Assignment& assignment);

} // namespace doppler::place
