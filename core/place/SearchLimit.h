#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <stop_token>

#include "core/place/Placer.h"

namespace doppler::place {

/// How long a stretch of a search may go on: until a moment, or for a number of evaluations (then
/// the clock plays no part and the search is repeatable). Asked once an evaluation.
class SearchLimit {
public:
    using Clock = std::chrono::steady_clock;

    static SearchLimit forSeconds(double seconds, std::stop_token stop) {
        SearchLimit limit(std::move(stop));
        limit.seconds_ = std::max(seconds, 0.0);
        return limit;
    }
    static SearchLimit forEvaluations(std::int64_t evaluations, std::stop_token stop) {
        SearchLimit limit(std::move(stop));
        limit.evaluations_ = evaluations;
        return limit;
    }

    static SearchLimit of(const PlaceRequest& request) {
        return request.maxEvaluations ? forEvaluations(*request.maxEvaluations, request.stop)
                                      : forSeconds(request.budgetSeconds, request.stop);
    }

    /// Takes one evaluation; false if none is left.
    bool take() {
        if (ended_ || fraction() >= 1 || stop_.stop_requested()) {
            return false;
        }
        ++taken_;
        return true;
    }

    /// Share that is used up, 0..1.
    double fraction() const {
        if (evaluations_ >= 0) {
            return evaluations_ == 0
                       ? 1
                       : static_cast<double>(taken_) / static_cast<double>(evaluations_);
        }
        const double passed = std::chrono::duration<double>(Clock::now() - begin_).count();
        return passed >= seconds_ ? 1 : passed / seconds_;
    }

    /// Nothing more is taken.
    void end() { ended_ = true; }

    std::int64_t taken() const { return taken_; }
    bool stopped() const { return stop_.stop_requested(); }

private:
    explicit SearchLimit(std::stop_token stop) : stop_(std::move(stop)), begin_(Clock::now()) {}

    std::stop_token stop_;
    Clock::time_point begin_;
    double seconds_ = 0;
    std::int64_t evaluations_ = -1;
    std::int64_t taken_ = 0;
    bool ended_ = false;
};

} // namespace doppler::place
