// What a training keeps of its episodes: the records of each problem, and its result.

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "core/learn/Training.h"
#include "core/place/MemoryNotes.h"

namespace doppler::learn {

namespace {

sim::Assignment assignmentOf(const Record& record) {
    return record.assignment == nullptr ? sim::Assignment() : *record.assignment;
}

} // namespace

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
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < outcome.makespans.size(); ++i) {
            if (!outcome.failed[i] && (!best || outcome.makespans[i] < outcome.makespans[*best])) {
                best = i;
            }
        }
        if (best) {
            Time makespan = outcome.makespans[*best];
            offerMeasured(state, makespan, episodes[*best].assignment, Origin::Sample, seed);
        }
        if (outcome.greedy) {
            const auto greedy = state.greedy.assignment;
            offerMeasured(state, state.greedy.makespan, *greedy, Origin::Greedy, seed);
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
/// measurement counts from then on, and the candidate's becomes `makespan`. True: it, or what the
/// policy found earlier, is the best now.
bool Training::offerMeasured(ProblemState& state, Time& makespan, const sim::Assignment& candidate,
                             Origin origin, std::uint64_t seed) {
    std::map<sim::Assignment, std::optional<Time>> known; // both records may hold the same
    const auto well = [&](const sim::Assignment& assignment) {
        const auto [entry, isNew] = known.try_emplace(assignment);
        if (isNew) {
            entry->second = learner_->measureWell(state, assignment, seed);
        }
        return entry->second;
    };
    const Time once = makespan;
    const auto offerTo = [&](Record& record) {
        if (record.assignment != nullptr && candidate == *record.assignment) {
            makespan = record.makespan;
            return;
        }
        if (record.assignment != nullptr && once >= record.makespan) {
            return;
        }
        const std::optional<Time> again = well(candidate);
        if (!again) {
            return; // ran by luck
        }
        makespan = *again;
        if (record.assignment != nullptr && *again < record.makespan) {
            const std::optional<Time> holder = well(*record.assignment);
            record.makespan = holder.value_or(record.makespan);
            if (!holder) {
                record = {};
            }
        }
        record.offer(*again, candidate, origin);
    };
    const std::shared_ptr<const sim::Assignment> before = state.best.assignment;
    offerTo(state.policy);
    offerTo(state.best);
    if (state.policy.assignment != nullptr) { // its holder may have been measured again
        state.best.offer(state.policy.makespan, *state.policy.assignment, state.policy.by);
        makespan = candidate == *state.policy.assignment ? state.policy.makespan : makespan;
    }
    return state.best.assignment != before;
}

/// Offers the greedy episode of the end; true if it is the best.
bool Training::offerFinal(ProblemState& state) {
    if (state.greedy.assignment == nullptr) {
        return false;
    }
    const Time makespan = state.greedy.makespan;
    const sim::Assignment& assignment = *state.greedy.assignment;
    if (progress_.onSystem) {
        return offerMeasured(state, state.greedy.makespan, assignment, Origin::Greedy,
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
        problem.bestAssignment = assignmentOf(state.best);
        problem.bestBy = state.best.by;
        problem.policy = state.policy.makespan;
        problem.policyAssignment = assignmentOf(state.policy);
        problem.greedy = state.greedy.makespan;
        problem.greedyAssignment = assignmentOf(state.greedy);
        problem.teacher = state.teacher;
    }
    directory_.save(last, request_);
    addNotes();
    result_.onSystem = progress_.onSystem;
    result_.updates = progress_.updates;
    result_.episodes = progress_.episodes;
    result_.seconds = secondsNow();
    result_.episodesPerSecond =
        timedSeconds_ > 0 ? static_cast<double>(timedEpisodes_) / timedSeconds_ : 0;
    result_.times = learner_->times();
}

/// What the memory of the devices has to do with the result. Throws where nothing could run.
void Training::addNotes() {
    if (failedEpisodes_ > 0) {
        result_.notes.push_back(std::to_string(failedEpisodes_) + " of " +
                                std::to_string(measuredEpisodes_) +
                                " episodes of stage system could not run: " + learner_->failure());
    }
    for (const auto& state : problems_) {
        const std::string& graph = state->problem->graph->name();
        if (state->best.assignment == nullptr) {
            throw std::runtime_error("no placement of \"" + graph +
                                     "\" could run: " + learner_->failure());
        }
        for (const std::string& note :
             place::memoryNotes(state->problem, *state->best.assignment)) {
            result_.notes.push_back("the best placement of \"" + graph + "\" " + note);
        }
    }
}

} // namespace doppler::learn
