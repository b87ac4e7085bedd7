// What a training keeps of its episodes: the records of each problem, and its result.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>

#include "core/learn/Training.h"
#include "core/place/MemoryNotes.h"

namespace doppler::learn {

namespace {

// The end of stage III: placements that are measured again, and how often.
constexpr std::size_t kFinalists = 12;
constexpr int kFinalMeasurements = 31;

sim::Assignment assignmentOf(const Record& record) {
    return record.assignment == nullptr ? sim::Assignment() : *record.assignment;
}

} // namespace

void Training::keepRecords(ProblemState& state, const UpdateOutcome& outcome, Stage stage) {
    const auto& episodes = learner_->episodes();
    if (stage == Stage::Imitation) {
        for (const Episode& episode : state.imitated) {
            state.best.offer(episode.makespan, episode.assignment, Origin::Teacher,
                             state.fits(episode.assignment));
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
        const Episode& episode = episodes[i];
        for (Record* record : {&state.policy, &state.best}) {
            record->offer(episode.makespan, episode.assignment, Origin::Sample, episode.fits());
        }
    }
    if (outcome.greedy) {
        offerGreedy(state);
    }
}

/// Offers the greedy episode, as simulated, to both records; true if it is the best.
bool Training::offerGreedy(ProblemState& state) {
    const Record& greedy = state.greedy;
    state.policy.offer(greedy.makespan, *greedy.assignment, Origin::Greedy, greedy.fits);
    return state.best.offer(greedy.makespan, *greedy.assignment, Origin::Greedy, greedy.fits);
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
        record.offer(*again, candidate, origin, true);
    };
    const std::shared_ptr<const sim::Assignment> before = state.best.assignment;
    offerTo(state.policy);
    offerTo(state.best);
    if (state.policy.assignment != nullptr) { // its holder may have been measured again
        state.best.offer(state.policy.makespan, *state.policy.assignment, state.policy.by, true);
        makespan = candidate == *state.policy.assignment ? state.policy.makespan : makespan;
    }
    return state.best.assignment != before;
}

/// The end of stage III: the placements that measured best are measured again, often and with the
/// same luck, in turns, so that what slows the machine for a while slows them all; the best of them
/// is the answer. What measured best once among thousands was lucky first of all.
void Training::chooseMeasured(std::size_t index) {
    ProblemState& state = *problems_[index];
    learner_->runGreedy(state, true, mixSeeds(request_.seed, 26, index));
    std::vector<Record> finalists;
    const auto enter = [&finalists](const Record& record) {
        const bool known = std::any_of(finalists.begin(), finalists.end(), [&](const Record& each) {
            return *each.assignment == *record.assignment;
        });
        if (!known) {
            finalists.push_back(record);
        }
    };
    // Those of the policy itself come first.
    for (const Record* record : {&state.policy, &state.greedy, &state.best}) {
        if (record->assignment != nullptr) {
            enter(*record);
        }
    }
    const std::size_t named = finalists.size();
    // An elite does not say where it came from: claim no more for the policy than is sure.
    const TrainOptions& options = request_.options;
    const bool polished = std::any_of(
        options.stages.begin(), options.stages.end(), [&options](const StagePlan& plan) {
            return options.polish && plan.stage == Stage::Simulation &&
                   plan.episodes / options.batch >= kPolishEvery;
        });
    for (const Elite& elite : state.elites.all()) {
        if (finalists.size() == named + kFinalists) {
            break;
        }
        const bool taught =
            !state.imitated.empty() && elite.assignment == state.imitated.front().assignment;
        Record record;
        record.offer(elite.makespan, elite.assignment,
                     taught     ? Origin::Teacher
                     : polished ? Origin::Polish
                                : Origin::Sample,
                     true);
        enter(record);
    }

    std::vector<std::vector<Time>> measured(finalists.size());
    std::vector<bool> runs(finalists.size(), true);
    for (std::uint64_t round = 0; round < std::uint64_t{kFinalMeasurements}; ++round) {
        for (std::size_t i = 0; i < finalists.size(); ++i) {
            if (!runs[i]) {
                continue;
            }
            if (!mayGoOn()) {
                return;
            }
            try {
                measured[i].push_back(state.system->evaluate(0, *finalists[i].assignment,
                                                             mixSeeds(request_.seed, 29, round)));
            } catch (const CannotRun&) {
                runs[i] = false; // ran by luck
            }
        }
    }
    state.policy = {};
    state.best = {};
    for (std::size_t i = 0; i < finalists.size(); ++i) {
        if (!runs[i]) {
            continue;
        }
        std::vector<Time>& times = measured[i];
        const auto middle = times.begin() + kFinalMeasurements / 2;
        std::nth_element(times.begin(), middle, times.end());
        const Record& each = finalists[i];
        if (each.by == Origin::Sample || each.by == Origin::Greedy) {
            state.policy.offer(*middle, *each.assignment, each.by, true);
        }
        state.best.offer(*middle, *each.assignment, each.by, true);
    }
    directory_.forgetBests();
    if (state.best.assignment != nullptr) {
        directory_.keepBest(index, *state.problem, rankOf(state.best.makespan, true),
                            *state.best.assignment);
    }
}

/// Of the noise that weights are judged under: the same for all, so that none is lucky.
std::uint64_t Training::judgeSeed(std::size_t index) const {
    return mixSeeds(request_.seed, 33, index);
}

/// What a simulated placement is judged by, under that noise.
Time Training::judgedAlike(std::size_t index, const sim::Assignment& assignment) const {
    Evaluator& simulator = *problems_[index]->simulator;
    Episode episode;
    episode.makespan = simulator.evaluate(0, assignment, judgeSeed(index));
    episode.lackingMemory = simulator.lackingMemory(0, assignment);
    return episode.judged();
}

/// Keeps the present weights if no greedy episodes were better than theirs; the latest of equals,
/// whose sampled episodes are likely better. Called in the turn of the first problem, whose greedy
/// episode is known.
void Training::judgeWeights(const sim::Assignment& greedyOfFirst) {
    double sum = 0;
    for (std::size_t i = 0; i < problems_.size(); ++i) {
        const Time judged = i == 0 ? judgedAlike(i, greedyOfFirst)
                                   : learner_->judgedGreedy(*problems_[i], judgeSeed(i));
        sum += std::log1p(static_cast<double>(judged));
    }
    const double score = sum / static_cast<double>(problems_.size());
    if (bestWeights_.weights.empty() || score <= bestWeights_.score) {
        bestWeights_ = {learner_->weights(), score, progress_.updates};
    }
}

/// Score of the greedy episodes that the problems hold; infinite if one cannot run.
double Training::greedyScore() const {
    double sum = 0;
    for (std::size_t i = 0; i < problems_.size(); ++i) {
        const ProblemState& state = *problems_[i];
        if (state.greedy.assignment == nullptr) {
            return std::numeric_limits<double>::infinity();
        }
        const Time judged =
            progress_.onSystem ? state.greedy.makespan : judgedAlike(i, *state.greedy.assignment);
        sum += std::log1p(static_cast<double>(judged));
    }
    return sum / static_cast<double>(problems_.size());
}

/// The end: the weights of the best greedy episodes, or the latest ones if theirs are as good, are
/// what the policy is used with, and their greedy episodes are the policy's answer. After stage III
/// both are measured, with the same luck.
void Training::chooseWeights() {
    const auto runGreedy = [this] {
        for (std::size_t i = 0; i < problems_.size(); ++i) {
            learner_->runGreedy(*problems_[i], progress_.onSystem, mixSeeds(request_.seed, 26, i));
        }
        return greedyScore();
    };
    BestWeights latest{learner_->weights(), runGreedy(), progress_.updates};
    if (!bestWeights_.weights.empty() && bestWeights_.weights != latest.weights) {
        std::vector<Record> greedyOfLatest;
        for (const auto& state : problems_) {
            greedyOfLatest.push_back(state->greedy);
        }
        learner_->weights() = bestWeights_.weights;
        bestWeights_.score = runGreedy();
        learner_->weights() = latest.weights;
        if (bestWeights_.score < latest.score) {
            return;
        }
        for (std::size_t i = 0; i < problems_.size(); ++i) {
            problems_[i]->greedy = greedyOfLatest[i];
        }
    }
    if (std::isfinite(latest.score)) {
        bestWeights_ = std::move(latest);
    }
}

/// Offers the greedy episode of the end; true if it is the best.
bool Training::offerFinal(ProblemState& state) {
    if (state.greedy.assignment == nullptr) {
        return false;
    }
    if (progress_.onSystem && progress_.finished) {
        return false; // it was among those that the stage's end chose from
    }
    if (progress_.onSystem) {
        const sim::Assignment assignment = *state.greedy.assignment;
        return offerMeasured(state, state.greedy.makespan, assignment, Origin::Greedy,
                             mixSeeds(request_.seed, 28, 0));
    }
    return offerGreedy(state);
}

void Training::finishResult() {
    // As it was: the greedy episodes of the end are no part of the curve.
    Checkpoint last = checkpoint();
    try {
        chooseWeights();
        last.best = bestWeights_;
        for (std::size_t i = 0; i < problems_.size(); ++i) {
            ProblemState& state = *problems_[i];
            if (offerFinal(state)) {
                directory_.keepBest(i, *state.problem, rankOf(state.best.makespan, state.best.fits),
                                    *state.best.assignment);
            }
        }
    } catch (const EvaluationStopped&) {
        last.best = {}; // not measured against the latest weights, which saw more episodes
        for (const auto& state : problems_) {
            if (state->greedy.makespan < state->policy.makespan) {
                state->greedy = {}; // lucky once, and not measured again
            }
        }
    }
    for (std::size_t i = 0; i < problems_.size(); ++i) {
        ProblemState& state = *problems_[i];
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
        if (state->best.assignment == nullptr && learner_->failure().empty()) {
            throw EvaluationStopped("stopped before a placement of \"" + graph + "\" was measured");
        }
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
