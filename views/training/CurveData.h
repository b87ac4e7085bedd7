#pragma once

/// views/training: watching a policy learn: its runs, their curves, the dock that shows them.

#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/Ids.h"
#include "core/learn/TrainOptions.h"

namespace doppler::views {

/// The curve of one training. Dots and means are thinned evenly as it grows, so that a million
/// episodes cost no more to draw than some thousand; every new best is kept.
class CurveData {
public:
    struct Point {
        double episode = 0; ///< counted from 1
        double makespan = 0;
    };
    struct StageStart {
        learn::Stage stage = learn::Stage::Imitation;
        std::int64_t episode = 0; ///< the stage's first
    };

    static constexpr int kMeanOf = 100; ///< episodes in a running mean

    void startStage(learn::Stage stage);
    void add(std::span<const Time> makespans);
    /// The best by any means after the episodes so far; ignored unless it is better.
    void setBest(Time best);

    const std::vector<Point>& episodes() const { return episodes_; }
    const std::vector<Point>& means() const { return means_; }
    const std::vector<Point>& bests() const { return bests_; }
    const std::vector<StageStart>& stages() const { return stages_; }
    std::int64_t episodeCount() const { return count_; }
    /// Of the last kMeanOf episodes; 0 before the first.
    double mean() const;
    Time best() const { return best_; }

private:
    void thin();

    std::vector<Point> episodes_;
    std::vector<Point> means_;
    std::vector<Point> bests_;
    std::vector<StageStart> stages_;
    std::vector<Time> window_; ///< ring of the last kMeanOf
    double windowSum_ = 0;
    std::int64_t count_ = 0;
    std::int64_t ran_ = 0;    // of those
    std::int64_t stride_ = 1; ///< every stride-th episode is kept
    Time best_ = 0;
};

} // namespace doppler::views
