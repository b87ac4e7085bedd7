#pragma once

#include <limits>
#include <span>
#include <vector>

#include "core/sim/EventLoop.h"

namespace doppler::sim {

/// One run, as it stood at some points in time: a run of an assignment that differs in few ops goes
/// on from the last of them that no change can have touched. Knows the loops for first ready first
/// (not LoopKind::General). Results are equal to those of whole runs.
///
/// The first event that the device of an op can change is the end of the first of its producers,
/// which sends its value there; the start of the run, if it has none.
class RunMemory {
public:
    /// A run between two points in time. `started`: ops so far.
    struct Snapshot {
        std::int32_t started = 0;
        Time time = 0;
        EventQueue events;
        std::vector<std::int32_t> missingInputs;
        std::vector<std::int32_t> freeSlots;
        std::vector<EdgeId> nextInChain;
        FifoQueues fifo;
        LinkLanes lanes;

        void save(const SimScratch& scratch);
        void restore(SimScratch& scratch) const;
    };

    /// Fills the memory while a run goes on.
    class Recorder : public NoRecorder {
    public:
        /// The run begins at the `kept`-th snapshot; 0: at the start.
        Recorder(RunMemory& memory, std::size_t kept);

        void opStarts(OpId op, DeviceId, Time, Time end) {
            memory_.endOf_[SimModel::at(op)] = end;
            ++started_;
        }
        void settled(const SimScratch& scratch);

    private:
        std::int32_t nextAt() const;

        RunMemory& memory_;
        std::int32_t started_ = 0;
    };

    explicit RunMemory(const Problem& problem);

    bool empty() const { return assignment_.empty(); }

    /// How many snapshots a run of `assignment` shares with the one remembered.
    std::size_t shared(std::span<const DeviceId> assignment) const;
    const Snapshot& snapshot(std::size_t index) const { return snapshots_[index]; }

    /// What the next run that is recorded is a run of.
    void begin(std::span<const DeviceId> assignment) {
        assignment_.assign(assignment.begin(), assignment.end());
    }

private:
    const Problem& problem_;
    std::vector<DeviceId> assignment_;
    std::vector<Time> endOf_; // by op
    std::vector<Snapshot> snapshots_;
    std::size_t count_ = 0; // of them in use
};

} // namespace doppler::sim
