#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "core/learn/Trainer.h"

namespace doppler::views {

/// Carries what a training reports from its thread to the window, which takes it ten times a
/// second: thousands of episodes a second must not become thousands of events.
class TrainingFeed {
public:
    struct NewBest {
        std::shared_ptr<const sim::Assignment> assignment;
        Time makespan = 0;
        std::int64_t episode = 0;
        learn::Origin by = learn::Origin::Sample;
    };
    /// Updates of one stage in a row.
    struct Stretch {
        learn::Stage stage = learn::Stage::Imitation;
        std::vector<Time> makespans;
        Time best = 0;
    };
    /// What has happened since the last take().
    struct News {
        std::vector<Stretch> stretches;
        std::vector<NewBest> bests;
        std::shared_ptr<const sim::Assignment> latest; ///< greedy; null: none since
        /// Of the last update; its spans are empty. Only meaningful if `updated`.
        learn::UpdateFacts facts;
        bool updated = false;
        std::string activity; ///< empty: updates are being made
        double activityShare = -1;
    };

    /// From the training's thread.
    void add(const learn::UpdateFacts& facts);
    void setActivity(const std::string& text, double share);
    /// From the window's thread.
    News take();

private:
    std::mutex mutex_;
    News news_;
};

} // namespace doppler::views
