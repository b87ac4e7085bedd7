#pragma once

#include <functional>
#include <memory>

#include "core/place/Moves.h"
#include "core/place/SearchEvaluator.h"
#include "core/place/SearchLimit.h"

namespace doppler::place {

/// One chain of simulated annealing on one thread. Allocates nothing while it runs.
class AnnealChain {
public:
    AnnealChain(std::shared_ptr<const sim::Problem> problem, const Objective& objective,
                std::shared_ptr<const Clusterings> clusterings, std::uint64_t seed);

    /// Starts anew from `assignment`, which must be valid and honour the pins; it is the best so
    /// far. Takes one evaluation; false if it was given up: there is nothing to run from then.
    bool startFrom(const sim::Assignment& assignment, const SearchLimit& limit);
    /// The same, however long it takes.
    void startFrom(const sim::Assignment& assignment);
    /// The same where the value is known; takes none.
    void startFrom(const sim::Assignment& assignment, Time value);

    /// Anneals from the present state; the temperature falls geometrically with the used share of
    /// `limit`, from `hot` to `cold` (as fractions of the value at the start). `each`, if any,
    /// is called after each evaluation.
    void run(double hot, double cold, SearchLimit& limit, const std::function<void()>& each = {});

    const sim::Assignment& best() const { return best_; }
    Time bestValue() const { return bestValue_; }
    std::int64_t evaluations() const { return evaluations_; }

private:
    void giveUpWith(const SearchLimit& limit);
    void step(double temperature);

    Evaluator evaluator_;
    Moves moves_;
    Random random_;
    sim::Assignment current_;
    Time currentValue_ = 0;
    sim::Assignment best_;
    Time bestValue_ = 0;
    std::int64_t evaluations_ = 0;
};

} // namespace doppler::place
