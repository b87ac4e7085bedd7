#include "views/training/CurveData.h"

namespace doppler::views {

namespace {

constexpr std::size_t kMostPoints = 8'000;

void keepEverySecond(std::vector<CurveData::Point>& points) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < points.size(); i += 2) {
        points[kept++] = points[i];
    }
    points.resize(kept);
}

} // namespace

void CurveData::startStage(learn::Stage stage) {
    if (stages_.empty() || stages_.back().stage != stage) {
        stages_.push_back({stage, count_ + 1});
    }
}

void CurveData::add(std::span<const Time> makespans) {
    for (const Time makespan : makespans) {
        if (makespan <= 0) {
            ++count_; // could not run: no point of the curve
            continue;
        }
        const auto slot = static_cast<std::size_t>(ran_++ % kMeanOf);
        if (window_.size() < kMeanOf) {
            window_.push_back(makespan);
        } else {
            windowSum_ -= static_cast<double>(window_[slot]);
            window_[slot] = makespan;
        }
        windowSum_ += static_cast<double>(makespan);
        ++count_;
        if (count_ % stride_ == 0) {
            const auto episode = static_cast<double>(count_);
            episodes_.push_back({episode, static_cast<double>(makespan)});
            means_.push_back({episode, mean()});
            thin();
        }
    }
}

void CurveData::thin() {
    if (episodes_.size() >= kMostPoints) {
        keepEverySecond(episodes_);
        keepEverySecond(means_);
        stride_ *= 2;
    }
}

void CurveData::setBest(Time best) {
    if (best > 0 && (best_ == 0 || best < best_)) {
        best_ = best;
        bests_.push_back({static_cast<double>(count_), static_cast<double>(best)});
    }
}

double CurveData::mean() const {
    return window_.empty() ? 0 : windowSum_ / static_cast<double>(window_.size());
}

} // namespace doppler::views
