#pragma once

#include <limits>
#include <memory>
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
    /// sooner.
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

    /// True if memory is known to add nothing to that value of the placement; false says nothing.
    bool memoryIsSettled(const sim::Assignment& assignment, Time value) const;

    /// Once stopped, an evaluation that takes several runs, or one more for the memory, ends after
    /// the one in progress; its value is then any above the limit.
    void stopOn(std::stop_token stop) { stop_ = std::move(stop); }

private:
    Time timeWithin(const sim::Assignment& assignment, Time limit);
    double missingShare(const sim::Assignment& assignment);

    std::shared_ptr<const sim::Problem> problem_;
    Objective objective_;
    bool memoryMatters_;
    sim::Simulator plain_;
    std::unique_ptr<sim::Simulator> noisy_; // where the measure needs one
    Time longestRun_ = 0; // more than any makespan; added where memory is hard and lacks
    std::vector<Time> times_;
    std::stop_token stop_;
};

} // namespace doppler::place
