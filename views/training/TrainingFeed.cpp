#include "views/training/TrainingFeed.h"

#include <utility>

namespace doppler::views {

void TrainingFeed::add(const learn::UpdateFacts& facts) {
    if (facts.problem != 0) {
        return; // the first problem is the open one
    }
    const std::lock_guard lock(mutex_);
    if (news_.stretches.empty() || news_.stretches.back().stage != facts.stage) {
        news_.stretches.push_back({facts.stage, {}, 0});
    }
    Stretch& stretch = news_.stretches.back();
    stretch.makespans.insert(stretch.makespans.end(), facts.makespans.begin(),
                             facts.makespans.end());
    stretch.best = facts.best;
    if (facts.improved) {
        news_.bests.push_back({facts.improved, facts.best, facts.episodes, facts.improvedBy});
    }
    if (facts.latest) {
        news_.latest = facts.latest;
    }
    news_.facts = facts;
    news_.facts.makespans = {};
    news_.facts.predicted = {};
    news_.updated = true;
    news_.activity.clear();
    news_.activityShare = -1;
}

void TrainingFeed::setActivity(const std::string& text, double share) {
    const std::lock_guard lock(mutex_);
    news_.activity = text;
    news_.activityShare = share;
}

TrainingFeed::News TrainingFeed::take() {
    const std::lock_guard lock(mutex_);
    News taken = std::move(news_);
    news_ = {};
    news_.activity = taken.activity;
    news_.activityShare = taken.activityShare;
    return taken;
}

} // namespace doppler::views
