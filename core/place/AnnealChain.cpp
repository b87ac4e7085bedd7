#include "core/place/AnnealChain.h"

#include <cmath>

namespace doppler::place {

namespace {

constexpr double kLargestSlack = 1e18;

}

AnnealChain::AnnealChain(std::shared_ptr<const sim::Problem> problem, const Objective& objective,
                         std::shared_ptr<const Clusterings> clusterings, std::uint64_t seed)
    : evaluator_(std::move(problem), objective)
    , moves_(evaluator_.problem(), std::move(clusterings))
    , random_(seed) {}

bool AnnealChain::startFrom(const sim::Assignment& assignment, const SearchLimit& limit) {
    giveUpWith(limit);
    startFrom(assignment);
    return !evaluator_.gaveUp();
}

void AnnealChain::startFrom(const sim::Assignment& assignment) {
    ++evaluations_;
    startFrom(assignment, evaluator_.value(assignment));
}

void AnnealChain::giveUpWith(const SearchLimit& limit) {
    evaluator_.stopOn(limit.stopToken());
    evaluator_.endBy(limit.deadline());
}

void AnnealChain::startFrom(const sim::Assignment& assignment, Time value) {
    current_ = assignment;
    currentValue_ = value;
    best_ = current_;
    bestValue_ = currentValue_;
}

void AnnealChain::run(double hot, double cold, SearchLimit& limit,
                      const std::function<void()>& each) {
    if (moves_.none()) {
        return;
    }
    giveUpWith(limit);
    const double hottest = hot * static_cast<double>(currentValue_);
    const double fall = std::log(cold / hot);
    while (limit.take()) {
        step(hottest * std::exp(fall * limit.fraction()));
        if (each) {
            each();
        }
    }
}

void AnnealChain::step(double temperature) {
    while (!moves_.propose(current_, random_)) {
    }
    // Worse by so much is accepted; drawn first, so that a hopeless run can be given up early.
    const double slack = -temperature * std::log(1 - random_.uniform());
    const Time limit = currentValue_ + static_cast<Time>(std::min(slack, kLargestSlack));
    const Time value = evaluator_.valueWithin(current_, limit);
    ++evaluations_;
    if (value > limit) {
        moves_.undo(current_);
        return;
    }
    currentValue_ = value;
    if (value < bestValue_) {
        bestValue_ = value;
        best_ = current_;
    }
}

} // namespace doppler::place
