#include "core/place/SearchReporter.h"

namespace doppler::place {

namespace {

constexpr std::chrono::milliseconds kTellEvery{50};

}

void SearchReporter::offer(const sim::Assignment& assignment, Time value) {
    if (!request_.progress) {
        return;
    }
    const std::lock_guard lock(mutex_);
    if (best_ == nullptr || value < bestValue_) {
        best_ = std::make_shared<const sim::Assignment>(assignment);
        bestValue_ = value;
        untold_ = true;
    }
}

void SearchReporter::tell(double fraction, std::int64_t evaluations, bool force) {
    if (!request_.progress) {
        return;
    }
    const auto now = SearchLimit::Clock::now();
    if (!force && now - lastTold_ < kTellEvery) {
        return;
    }
    lastTold_ = now;
    lastFraction_ = std::max(lastFraction_, std::min(fraction, 1.0));
    PlaceProgress progress;
    progress.seconds = std::chrono::duration<double>(now - begin_).count();
    progress.fraction = lastFraction_;
    progress.evaluations = evaluations;
    {
        const std::lock_guard lock(mutex_);
        progress.best = bestValue_;
        if (untold_) {
            progress.improved = best_;
            untold_ = false;
        }
    }
    request_.progress(progress);
}

} // namespace doppler::place
