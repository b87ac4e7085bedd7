#pragma once

#include <memory>
#include <vector>

#include "core/place/policy/LinearPolicy.h"
#include "core/place/policy/PolicyProblem.h"

namespace doppler::place {

/// Generated problems with the makespans that policies are measured by.
class TrainingPool {
public:
    /// `count` problems from `firstSeed` on, made by `threads` threads.
    TrainingPool(int count, std::uint64_t firstSeed, int threads);

    std::size_t size() const { return entries_.size(); }
    const std::shared_ptr<const PolicyProblem>& problem(std::size_t index) const {
        return entries_[index].problem;
    }

    /// log(makespan / critical path) of each policy on each chosen problem: [problem][policy]. The
    /// same for any number of threads.
    std::vector<std::vector<double>> measure(const std::vector<std::size_t>& problems,
                                             const std::vector<LinearPolicy>& policies,
                                             int threads) const;

private:
    struct Entry {
        std::shared_ptr<const PolicyProblem> problem;
        Time criticalPath = 0;
    };

    std::vector<Entry> entries_;
};

} // namespace doppler::place
