#pragma once

#include <vector>

#include "core/sim/TimelineRecorder.h"

namespace doppler::sim {

/// What must still follow each op under one assignment, contention and queues left out.
class RemainingTimes {
public:
    RemainingTimes(const SimModel& model, const std::vector<OpId>& topologicalOrder);

    /// For this assignment. Returns a lower bound of its makespan: the longest way with its
    /// transfers, and per device its work plus the least that follows any of it.
    Time prepare(const DeviceId* deviceOf);

    /// From the end of `op` to the end of all that waits for it.
    Time after(OpId op) const { return after_[SimModel::at(op)]; }

private:
    const SimModel& model_;
    const std::vector<OpId>& order_;
    std::vector<Time> after_;      // by op
    std::vector<Time> work_;       // by device
    std::vector<Time> leastAfter_; // by device
};

/// Recorder of a run that is given up as soon as its makespan must exceed a limit.
class LimitWatch : public NoRecorder {
public:
    LimitWatch(const RemainingTimes& remaining, Time limit)
        : remaining_(remaining), limit_(limit) {}

    void opStarts(OpId op, DeviceId, Time, Time end) {
        const Time least = end + remaining_.after(op);
        if (least > limit_) {
            exceededBy_ = least;
        }
    }
    bool abandoned() const { return exceededBy_ != 0; }
    /// A lower bound of the makespan, above the limit; only if abandoned().
    Time lowerBound() const { return exceededBy_; }

private:
    const RemainingTimes& remaining_;
    Time limit_;
    Time exceededBy_ = 0;
};

} // namespace doppler::sim
