#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
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
        limit.timed_ = true;
        return limit;
    }
    static SearchLimit forEvaluations(std::int64_t evaluations, std::stop_token stop) {
        SearchLimit limit(std::move(stop));
        limit.evaluations_ = evaluations;
        return limit;
    }

    /// Whichever comes first.
    static SearchLimit forEither(double seconds, std::int64_t evaluations, std::stop_token stop) {
        SearchLimit limit = forSeconds(seconds, std::move(stop));
        limit.evaluations_ = evaluations;
        limit.timed_ = true;
        return limit;
    }

    static SearchLimit of(const PlaceRequest& request) {
        return request.maxEvaluations ? forEvaluations(*request.maxEvaluations, request.stop)
                                      : forSeconds(request.budgetSeconds, request.stop);
    }

    /// Takes one evaluation; false if none is left.
    bool take() {
        if (over()) {
            return false;
        }
        ++taken_;
        return true;
    }

    /// Takes evaluations that were made without asking.
    void count(std::int64_t evaluations) { taken_ += evaluations; }

    /// True if nothing more will be taken.
    bool over() const { return ended_ || fraction() >= 1 || stop_.stop_requested(); }

    /// Evaluations that may still be taken; the largest number where only the clock limits them.
    std::int64_t left() const {
        return evaluations_ < 0 ? std::numeric_limits<std::int64_t>::max()
                                : std::max<std::int64_t>(0, evaluations_ - taken_);
    }

    /// Share that is used up, 0..1.
    double fraction() const {
        double used = 0;
        if (evaluations_ >= 0) {
            used = taken_ >= evaluations_
                       ? 1
                       : static_cast<double>(taken_) / static_cast<double>(evaluations_);
        }
        if (timed_) {
            const double passed = std::chrono::duration<double>(Clock::now() - begin_).count();
            used = passed >= seconds_ ? 1 : std::max(used, passed / seconds_);
        }
        return used;
    }

    /// When an evaluation in progress is given up; none where the clock plays no part.
    std::optional<Clock::time_point> deadline() const {
        if (!timed_ || lastsAsLongAs_) {
            return lastsAsLongAs_;
        }
        constexpr double kLongest = 1e9; // seconds: what the clock can count
        return begin_ + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::min(kLongest, seconds_)));
    }
    /// The evaluation in progress when this limit is reached may go on until the deadline of
    /// `whole`, of which this is a part.
    void lastAsLongAs(const SearchLimit& whole) { lastsAsLongAs_ = whole.deadline(); }

    /// Nothing more is taken.
    void end() { ended_ = true; }

    std::int64_t taken() const { return taken_; }
    bool stopped() const { return stop_.stop_requested(); }
    const std::stop_token& stopToken() const { return stop_; }

private:
    explicit SearchLimit(std::stop_token stop) : stop_(std::move(stop)), begin_(Clock::now()) {}

    std::stop_token stop_;
    Clock::time_point begin_;
    bool timed_ = false;
    double seconds_ = 0;
    std::optional<Clock::time_point> lastsAsLongAs_;
    std::int64_t evaluations_ = -1;
    std::int64_t taken_ = 0;
    bool ended_ = false;
};

} // namespace doppler::place
