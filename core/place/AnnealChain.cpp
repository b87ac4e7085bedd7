#include "core/place/AnnealChain.h"

#include <cmath>

namespace doppler::place {

AnnealChain::AnnealChain(std::shared_ptr<const sim::Problem> problem,
                         std::shared_ptr<const Clusterings> clusterings, std::uint64_t seed)
    : simulator_(problem), moves_(simulator_.problem(), std::move(clusterings)), random_(seed) {}

void AnnealChain::startFrom(const sim::Assignment& assignment) {
    current_ = assignment;
    currentMakespan_ = simulator_.makespan(current_);
    ++evaluations_;
    best_ = current_;
    bestMakespan_ = currentMakespan_;
}

void AnnealChain::run(double hot, double cold, SearchLimit& limit,
                      const std::function<void()>& each) {
    if (moves_.none()) {
        return;
    }
    const double hottest = hot * static_cast<double>(currentMakespan_);
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
    const Time makespan = simulator_.makespan(current_);
    ++evaluations_;
    const auto worse = static_cast<double>(makespan - currentMakespan_);
    if (worse > 0 && worse >= -temperature * std::log(1 - random_.uniform())) {
        moves_.undo(current_);
        return;
    }
    currentMakespan_ = makespan;
    if (makespan < bestMakespan_) {
        bestMakespan_ = makespan;
        best_ = current_;
    }
}

} // namespace doppler::place
