// What a training keeps of its episodes: the records of each problem, and its result.

#include <algorithm>
#include <map>

#include "core/learn/Training.h"

namespace doppler::learn {

void Training::keepRecords(ProblemState& state, const UpdateOutcome& outcome, Stage stage) {
    const auto& episodes = learner_->episodes();
    if (stage == Stage::Imitation) {
        for (const Episode& episode : state.imitated) {
            state.best.offer(episode.makespan, episode.assignment, Origin::Teacher);
            state.teacher =
                state.teacher == 0 ? episode.makespan : std::min(state.teacher, episode.makespan);
        }
        return;
    }
    if (stage == Stage::System) {
        const std::uint64_t seed =
            mixSeeds(request_.seed, 27, static_cast<std::uint64_t>(progress_.updates));
        const auto best = std::min_element(outcome.makespans.begin(), outcome.makespans.end());
        const Episode& episode =
            episodes[static_cast<std::size_t>(best - outcome.makespans.begin())];
        offerMeasured(state, episode.makespan, episode.assignment, Origin::Sample, seed);
        if (outcome.greedy) {
            offerMeasured(state, state.greedy.makespan, *state.greedy.assignment, Origin::Greedy,
                          seed);
        }
        return;
    }
    for (std::size_t i = 0; i < outcome.makespans.size(); ++i) {
        state.policy.offer(episodes[i].makespan, episodes[i].assignment, Origin::Sample);
        state.best.offer(episodes[i].makespan, episodes[i].assignment, Origin::Sample);
    }
    if (outcome.greedy) {
        state.policy.offer(state.greedy.makespan, *state.greedy.assignment, Origin::Greedy);
        state.best.offer(state.greedy.makespan, *state.greedy.assignment, Origin::Greedy);
    }
}

/// Offers to both records what was measured. A single run may be lucky, so candidate and holder
/// are measured again, well and with the same luck, before a record changes; the holder's new
/// measurement counts from then on.
bool Training::offerMeasured(ProblemState& state, Time makespan, const sim::Assignment& candidate,
                             Origin origin, std::uint64_t seed) {
    std::map<sim::Assignment, Time> known; // both records may hold the same
    const auto well = [&](const sim::Assignment& assignment) {
        const auto [entry, isNew] = known.try_emplace(assignment, 0);
        if (isNew) {
            entry->second = learner_->measureWell(state, assignment, seed);
        }
        return entry->second;
    };
    const auto offerTo = [&](Record& record) {
        if (record.assignment == nullptr) {
            return record.offer(well(candidate), candidate, origin);
        }
        if (makespan >= record.makespan || candidate == *record.assignment ||
            well(candidate) >= record.makespan) {
            return false;
        }
        record.makespan = well(*record.assignment);
        return record.offer(well(candidate), candidate, origin);
    };
    offerTo(state.policy);
    return offerTo(state.best);
}

/// Offers the greedy episode of the end; true if it is the best.
bool Training::offerFinal(ProblemState& state) {
    const Time makespan = state.greedy.makespan;
    const sim::Assignment& assignment = *state.greedy.assignment;
    if (progress_.onSystem) {
        return offerMeasured(state, makespan, assignment, Origin::Greedy,
                             mixSeeds(request_.seed, 28, 0));
    }
    state.policy.offer(makespan, assignment, Origin::Greedy);
    return state.best.offer(makespan, assignment, Origin::Greedy);
}

void Training::finishResult() {
    // As it was: the greedy episodes of the end are no part of the curve.
    Checkpoint last = checkpoint();
    for (std::size_t i = 0; i < problems_.size(); ++i) {
        ProblemState& state = *problems_[i];
        learner_->runGreedy(state, progress_.onSystem, mixSeeds(request_.seed, 26, i));
        if (offerFinal(state)) {
            directory_.keepBest(i, *state.problem, state.best.makespan, *state.best.assignment);
        }
        ProblemResult& problem = result_.problems.emplace_back();
        problem.best = state.best.makespan;
        problem.bestAssignment = *state.best.assignment;
        problem.bestBy = state.best.by;
        problem.policy = state.policy.makespan;
        problem.policyAssignment = *state.policy.assignment;
        problem.greedy = state.greedy.makespan;
        problem.greedyAssignment = *state.greedy.assignment;
        problem.teacher = state.teacher;
    }
    directory_.save(last, request_);
    result_.onSystem = progress_.onSystem;
    result_.updates = progress_.updates;
    result_.episodes = progress_.episodes;
    result_.seconds = secondsNow();
    result_.episodesPerSecond =
        timedSeconds_ > 0 ? static_cast<double>(timedEpisodes_) / timedSeconds_ : 0;
    result_.times = learner_->times();
}

} // namespace doppler::learn
