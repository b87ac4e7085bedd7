#pragma once

#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/place/Objective.h"
#include "core/sim/Simulator.h"

namespace doppler::place {

/// Values of assignments under an objective; one object a thread. Noisy runs use the same seeds for
/// every assignment, so that two assignments see the same luck.
class Evaluator {
public:
    Evaluator(std::shared_ptr<const sim::Problem> problem, const Objective& objective);

    const sim::Problem& problem() const { return *problem_; }
    const Objective& objective() const { return objective_; }

    Time value(const sim::Assignment& assignment) {
        return valueWithin(assignment, std::numeric_limits<Time>::max());
    }

    /// The value where that is at most `limit`, else any lower bound of it above `limit`, found
    /// sooner. Given up (see gaveUp()): anything above `limit`.
    Time valueWithin(const sim::Assignment& assignment, Time limit);

    /// From now on, values of assignments that differ from this one only in ops that run late are
    /// found sooner (see sim::Simulator::remember).
    void remember(const sim::Assignment& assignment) {
        if (noisy_ == nullptr) {
            plain_.remember(assignment);
        }
    }

    /// The plain makespan, as the problem's own simulator has it.
    Time makespan(const sim::Assignment& assignment) { return plain_.makespan(assignment); }
    /// The same where the value is known, which often tells it.
    Time makespan(const sim::Assignment& assignment, Time value);

    /// Over the devices: the share of its capacity by which the peak of a run exceeds it; 0: it
    /// fits, or the objective ignores memory.
    double missingShare(const sim::Assignment& assignment);

    /// True if memory is known to add nothing to that value of the placement; false says nothing.
    bool memoryIsSettled(const sim::Assignment& assignment, Time value) const;

    /// Once stopped, an evaluation that takes several runs, or one more for the memory, is given
    /// up after the one in progress.
    void stopOn(std::stop_token stop) { stop_ = std::move(stop); }
    /// The same from that moment on; none: whenever it ends.
    void endBy(std::optional<std::chrono::steady_clock::time_point> moment) { end_ = moment; }

    /// Whether the last evaluation was given up. One without a limit still makes its first run and
    /// then has the value over runsMade() runs, as if the objective asked for no more.
    bool gaveUp() const { return gaveUp_; }
    /// Noisy runs of the last evaluation.
    int runsMade() const { return static_cast<int>(times_.size()); }

private:
    bool over() const;
    Time timeWithin(const sim::Assignment& assignment, Time limit, bool needed);

    std::shared_ptr<const sim::Problem> problem_;
    Objective objective_;
    bool memoryMatters_;
    sim::Simulator plain_;
    std::unique_ptr<sim::Simulator> noisy_; // where the measure needs one
    Time longestRun_ = 0; // more than any makespan; added where memory is hard and lacks
    std::vector<Time> times_;
    std::stop_token stop_;
    std::optional<std::chrono::steady_clock::time_point> end_;
    bool gaveUp_ = false;
};

} // namespace doppler::place
