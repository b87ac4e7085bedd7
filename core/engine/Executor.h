#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/Runtime.h"
#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::engine {

/// What one run is asked for beyond running.
struct ExecutionOptions {
    std::stop_token stop;
    /// Every interval as it ends: op, device, to, slot, start and end (ns since the start of the
    /// run); the rest is known only at the end. Called by the event loop: keep it short.
    std::function<void(const sim::Interval&)> interval;
    /// The output of every op whose result leaves the graph, before its buffer is released.
    std::function<void(OpId, std::vector<std::byte>)> result;
};

enum class Outcome : std::uint8_t { Done, Cancelled, Failed };

/// How a run ended.
struct Execution {
    Outcome outcome = Outcome::Done;
    /// Why it did not end well: the op or transfer that failed, or the device and the bytes that
    /// were missing.
    std::string message;
    bool lacksMemory = false; ///< it failed because a device is too small for what it is to hold
    /// Of a run that is done: intervals in ns with their causes, peak memory.
    sim::Timeline timeline;
};

/// Runs a placement for real, work-conserving: completion -> release -> newly ready -> choose ->
/// dispatch. One logical event loop that nothing polls: whoever posts a completion runs it, unless
/// another thread already does. Every ready op of a free device is considered, in the order of the
/// problem's ReadyChoice; each value moves once to each device that needs it, overlapped with
/// compute; buffers are released after their last use; a device whose capacity would be exceeded
/// waits. Repeated runs allocate nothing but their timelines.
class Executor {
public:
    /// `runtime` must outlive it. Of the problem's options only choice and seed count.
    Executor(std::shared_ptr<const sim::Problem> problem, Runtime& runtime);
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// The problem with the options that real timelines follow: what findViolation() is to check
    /// them against.
    const std::shared_ptr<const sim::Problem>& problem() const;

    /// Must come before run(). Throws InputError like checkAssignment(), and what the runtime's
    /// prepare() throws; but where a device has no room, it is run() that fails and says so.
    void prepare(const sim::Assignment& assignment);

    /// One run; blocks until it has ended, and no task of it is left.
    Execution run(const ExecutionOptions& options = {});

private:
    class Run;
    std::unique_ptr<Run> run_;
};

} // namespace doppler::engine
