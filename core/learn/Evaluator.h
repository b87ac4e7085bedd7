#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "core/sim/Problem.h"

namespace doppler::learn {

/// A placement that cannot run: it does not fit the memory of a device. The message says which.
class CannotRun : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An evaluation was told to stop before it was done.
class EvaluationStopped : public std::runtime_error {
public:
    explicit EvaluationStopped(const std::string& message = "stopped")
        : std::runtime_error(message) {}
};

/// What an episode's assignment is judged by: the simulator, an emulated testbed, a real runtime.
/// Stages II and III of training differ in nothing else.
class Evaluator {
public:
    virtual ~Evaluator() = default;

    /// How it is called where results are shown, e.g. "simulator", "emulated", "cpu".
    virtual std::string name() const = 0;

    /// How many evaluations may run at once, each in a lane of its own (at least 1).
    virtual int lanes() const = 0;

    /// Makespan of a valid assignment; `seed` seeds whatever is random in it. Called from any
    /// thread, but never twice at once for one lane. Throws CannotRun for a placement that cannot
    /// run, which training takes for a bad one; what else it throws ends the training.
    virtual Time evaluate(int lane, std::span<const DeviceId> assignment, std::uint64_t seed) = 0;

    /// Summed over the devices, the share of its memory that each lacks for an assignment that
    /// evaluate() takes all the same; 0: it fits. Threads as there.
    virtual double lackingMemory(int /*lane*/, const sim::Assignment& /*assignment*/) { return 0; }

    /// From now on a stop ends evaluations that take long: they throw EvaluationStopped.
    virtual void stopOn(const std::stop_token& /*stop*/) {}
};

/// What placements are compared by: all that fit the memory of the devices come first.
inline Time rankOf(Time makespan, bool fits) {
    constexpr Time kLacking = Time{1} << 61; // more than any makespan
    return fits ? makespan : makespan + kLacking;
}

/// The simulator of the problem with the problem's own options, one a lane. The same seed gives
/// the same makespan in every lane.
std::shared_ptr<Evaluator> simulatorEvaluator(std::shared_ptr<const sim::Problem> problem,
                                              int lanes);

} // namespace doppler::learn
