#pragma once

#include "core/place/SearchEvaluator.h"
#include "core/place/SearchLimit.h"
#include "core/place/SearchReporter.h"

namespace doppler::place {

/// What every search on one thread needs: values, the limit, the best so far and its reports.
class SearchRun {
public:
    explicit SearchRun(const PlaceRequest& request);

    Evaluator& evaluator() { return evaluator_; }
    const sim::Problem& problem() const { return evaluator_.problem(); }

    /// Where to start: as asked, or the best draw of critical path first, or a placement that fits
    /// where memory is short. It is the best so far; its evaluations are taken from the budget.
    sim::Assignment start();

    /// Tries rollouts of the general policy, within a small share of the budget; what they find may
    /// be the best so far. Nothing where a start was asked for.
    void improveByPolicy(std::uint64_t seed);

    /// Takes one evaluation of the budget, and tells of the progress; false if none is left.
    bool take();
    /// What is left of the budget.
    const SearchLimit& limit() const { return limit_; }

    /// Tells of the progress of a part of the search that evaluates by itself: `evaluations` of it,
    /// which are counted and taken from the budget, and what it has found.
    void tellOfPart(std::int64_t evaluations, const sim::Assignment& best, Time value);

    /// The value, exact up to `limit` (see Evaluator); keeps the best. An evaluation that is given
    /// up at a stop or the end of the budget has the largest value there is, but for the first.
    Time valueWithin(const sim::Assignment& assignment, Time limit);

    double fraction() const { return limit_.fraction(); }
    const sim::Assignment& best() const { return best_; }
    Time bestValue() const { return bestValue_; }
    void addNote(std::string note) { notes_.push_back(std::move(note)); }

    PlaceResult result();

private:
    const PlaceRequest& request_;
    Evaluator evaluator_;
    SearchLimit limit_;
    SearchReporter reporter_;
    std::vector<std::string> notes_;
    std::int64_t evaluations_ = 0;
    sim::Assignment best_;
    Time bestValue_ = 0;
    int bestRuns_ = 0; ///< that its value is over, if a stop cut their number short
};

} // namespace doppler::place
