#pragma once

#include <mutex>

#include "core/place/Placer.h"
#include "core/place/SearchLimit.h"

namespace doppler::place {

/// The best that several threads of a search have found, and the progress told of it. Searches
/// never read it back, so it does not change what they find.
class SearchReporter {
public:
    explicit SearchReporter(const PlaceRequest& request)
        : request_(request), begin_(SearchLimit::Clock::now()), lastTold_(begin_) {}

    /// Any thread.
    void offer(const sim::Assignment& assignment, Time value);

    /// From the placer's thread only: tells at most about 20 times a second, or at once if `force`.
    void tell(double fraction, std::int64_t evaluations, bool force = false);

private:
    const PlaceRequest& request_;
    SearchLimit::Clock::time_point begin_;
    SearchLimit::Clock::time_point lastTold_;
    double lastFraction_ = 0;
    std::mutex mutex_;
    std::shared_ptr<const sim::Assignment> best_;
    Time bestValue_ = 0;
    bool untold_ = false;
};

} // namespace doppler::place
