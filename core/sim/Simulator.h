#pragma once

#include <memory>
#include <span>

#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::sim {

/// The discrete-event simulator of one problem: work-conserving, or bulk-synchronous where the
/// options say so. Holds all scratch space, so repeated runs allocate nothing; one object a
/// thread. Exact integer times; deterministic for the seed in the options.
class Simulator {
public:
    explicit Simulator(std::shared_ptr<const Problem> problem);
    ~Simulator();
    Simulator(Simulator&&) noexcept;
    Simulator& operator=(Simulator&&) noexcept;

    const Problem& problem() const;

    /// Makespan only: the fast path. `assignment` must be valid (see checkAssignment).
    Time makespan(std::span<const DeviceId> assignment);

    /// makespan(), and remembers the run: until another is remembered, makespan() and
    /// makespanWithin() of assignments that differ from this one only in ops that run late are
    /// quicker, with the same results. Each change of one op is then simulated from the first event
    /// that it can affect on (see RunMemory.h). Changes nothing under options beyond links and
    /// shared copies.
    Time remember(std::span<const DeviceId> assignment);

    /// makespan() where that is at most `limit`, else any lower bound of it above `limit`: the run
    /// is given up as soon as it must exceed the limit, which searches need know no more of.
    Time makespanWithin(std::span<const DeviceId> assignment, Time limit);

    /// The same run with every interval and its cause.
    Timeline run(std::span<const DeviceId> assignment);

    /// Replaces the seed of the options, for runs under noise.
    void setSeed(std::uint64_t seed);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One-off convenience: checks the assignment, then runs.
Timeline simulate(std::shared_ptr<const Problem> problem, const Assignment& assignment);

} // namespace doppler::sim
