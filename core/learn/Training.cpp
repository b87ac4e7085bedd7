#include "core/learn/Training.h"

#include <algorithm>
#include <cmath>

namespace doppler::learn {

namespace {

constexpr double kPolishSeconds = 0.3; // of one core, each chain
constexpr int kPolishCandidates = 8;

constexpr std::int64_t kKeepGoodEvery = 50; // updates
constexpr std::int64_t kGreedyEvery = 10;   // single-episode updates, where it costs something

// Imitation has nothing left to learn after so many updates in a row at this agreement.
constexpr double kLearnt = 0.99;
constexpr std::int64_t kLearntInARow = 5;

constexpr double kFirstSaveSeconds = 0.5;

// Stage III has nothing to learn from where no placement of so many episodes could run.
constexpr std::int64_t kHopelessEpisodes = 256;

constexpr double kSmoothing = 0.05;
constexpr double kImprovement = 1e-4;

/// Makespans of the episodes; 0: could not run.
std::vector<Time> whatRan(const UpdateOutcome& outcome) {
    std::vector<Time> makespans = outcome.makespans;
    for (std::size_t i = 0; i < outcome.failed.size(); ++i) {
        makespans[i] = outcome.failed[i] ? 0 : makespans[i];
    }
    return makespans;
}

/// Of those that ran.
double meanOf(const UpdateOutcome& outcome) {
    double sum = 0;
    std::int64_t runs = 0;
    for (std::size_t i = 0; i < outcome.makespans.size(); ++i) {
        if (outcome.failed.empty() || !outcome.failed[i]) {
            sum += static_cast<double>(outcome.makespans[i]);
            ++runs;
        }
    }
    return runs == 0 ? 0 : sum / static_cast<double>(runs);
}

} // namespace

Training::Training(const TrainRequest& request)
    : request_(request)
    , directory_(request.directory, request.resume)
    , resumedAt_(Clock::now())
    , startedAt_(resumedAt_)
    , savedAt_(resumedAt_) {
    for (const auto& problem : request_.problems) {
        hashes_.push_back(problemHash(*problem));
    }
    if (directory_.holdsRun()) {
        resume(directory_.load());
    } else {
        startAnew();
    }
    keepGood();
}

void Training::keepGood() {
    goodWeights_ = learner_->weights();
    goodAdam_ = std::make_unique<Adam>(learner_->adam());
}

TrainResult Training::run() {
    if (progress_.finished) {
        result_.notes.emplace_back("the run was finished already: nothing was trained");
    }
    const std::int64_t updatesBefore = progress_.updates;
    const auto& stages = request_.options.stages;
    try {
        runStages();
    } catch (const EvaluationStopped&) {
        end(EndReason::Stopped);
    }
    if (progress_.stage >= static_cast<int>(stages.size())) {
        progress_.finished = true;
    }
    if (result_.reason == EndReason::Budget && updatesBefore > 0 &&
        progress_.updates == updatesBefore) {
        result_.notes.emplace_back("the budget, which counts from the start of the run, was used "
                                   "up already: nothing was trained");
    }
    saveIfDue(true);
    finishResult();
    return std::move(result_);
}

void Training::runStages() {
    const auto& stages = request_.options.stages;
    while (!ended_ && !progress_.finished && progress_.stage < static_cast<int>(stages.size())) {
        runStage(stages[static_cast<std::size_t>(progress_.stage)]);
        if (!ended_ && stages[static_cast<std::size_t>(progress_.stage)].stage == Stage::System) {
            for (std::size_t i = 0; i < problems_.size(); ++i) {
                chooseMeasured(i);
            }
        }
        if (!ended_) {
            ++progress_.stage;
            progress_.stageUpdates = 0;
            progress_.stageEpisodes = 0;
            progress_.smoothed = 0;
            progress_.improvedAt = 0;
            progress_.agreedInARow = 0;
        }
    }
}

double Training::secondsNow() const {
    return secondsBefore_ + std::chrono::duration<double>(Clock::now() - resumedAt_).count();
}

void Training::end(EndReason reason) {
    ended_ = true;
    result_.reason = reason;
}

/// Waits while paused; false if training is over.
bool Training::mayGoOn() {
    if (request_.pause != nullptr && request_.pause->paused()) {
        secondsBefore_ = secondsNow();
        request_.pause->wait(request_.stop);
        resumedAt_ = Clock::now();
    }
    progress_.seconds = secondsNow();
    if (request_.stop.stop_requested()) {
        end(EndReason::Stopped);
    } else if (request_.budgetSeconds && progress_.seconds >= *request_.budgetSeconds) {
        end(EndReason::Budget);
    }
    return !ended_;
}

/// There is no time to finish what has begun. From any thread, while none pauses the training.
bool Training::isOver() const {
    return request_.stop.stop_requested() ||
           (request_.budgetSeconds && secondsNow() >= *request_.budgetSeconds);
}

void Training::runStage(const StagePlan& plan) {
    if (!mayGoOn()) {
        return;
    }
    enterStage(plan);
    while (progress_.stageEpisodes < plan.episodes && mayGoOn()) {
        const int index =
            static_cast<int>(progress_.stageUpdates % static_cast<std::int64_t>(problems_.size()));
        ProblemState& state = *problems_[static_cast<std::size_t>(index)];
        const double began = secondsNow();
        const UpdateOutcome outcome = update(plan, state);
        if (outcome.cut) {
            mayGoOn(); // knows why
            return;
        }
        if (!outcome.sound) {
            learner_->weights() = goodWeights_;
            learner_->adam() = *goodAdam_;
            result_.notes.emplace_back("training diverged (gradient of norm " +
                                       std::to_string(outcome.gradientNorm) +
                                       "): the last good weights were kept");
            end(EndReason::Diverged);
            return;
        }
        ++progress_.updates;
        ++progress_.stageUpdates;
        const auto count = static_cast<std::int64_t>(outcome.makespans.size());
        progress_.episodes += count;
        progress_.stageEpisodes += count;
        const double took = std::max(secondsNow() - began, 1e-9);
        const double speed = static_cast<double>(count) / took;
        episodesPerSecond_ = episodesPerSecond_ == 0
                                 ? speed
                                 : episodesPerSecond_ + kSmoothing * (speed - episodesPerSecond_);
        if (plan.stage != Stage::Imitation) {
            timedEpisodes_ += count;
            timedSeconds_ += took;
        }
        account(plan, index, outcome);
        if (ended_) {
            return;
        }
        if (progress_.updates % kKeepGoodEvery == 1) {
            keepGood();
        }
        if (plan.stage == Stage::Simulation && request_.options.polish &&
            progress_.stageUpdates % kPolishEvery == 0) {
            polish(state);
        }
        if (plateau(plan.stage, outcome) || hopeless(plan.stage)) {
            return; // the next checkpoint is the next stage's
        }
        saveIfDue(false);
    }
    // An update learns if the baseline had settled before it.
    const std::int64_t fewest = RunningBaseline::kSettled + request_.options.batch;
    const bool unsettled = std::any_of(problems_.begin(), problems_.end(), [&](const auto& state) {
        return state->baseline.episodes < fewest;
    });
    if (plan.stage != Stage::Imitation && request_.options.runningBaseline > 0 && unsettled) {
        result_.notes.push_back("stage " + std::string(name(plan.stage)) +
                                " ended before its baseline had settled: the first " +
                                std::to_string(RunningBaseline::kSettled) +
                                " episodes of a graph change nothing");
    }
    if (!ended_ && progress_.stageEpisodes > plan.episodes) {
        result_.notes.push_back("stage " + std::string(name(plan.stage)) + " took " +
                                std::to_string(progress_.stageEpisodes) + " episodes, not " +
                                std::to_string(plan.episodes) + ": an update takes " +
                                std::to_string(request_.options.batch));
    }
}

void Training::enterStage(const StagePlan& plan) {
    episodesPerSecond_ = 0;
    if (progress_.stageUpdates > 0) {
        return; // resumed in the middle of it
    }
    if (plan.stage == Stage::Imitation && request_.options.teacher != Teacher::CriticalPath) {
        findTeachers();
    }
    if (plan.stage == Stage::System && !progress_.onSystem) {
        enterSystem();
    }
}

/// Makespans so far were simulated; from here on they are measured. Told not to go on, it leaves
/// all as it was.
void Training::enterSystem() {
    std::vector<std::vector<std::optional<Time>>> measured; // by problem: elites, then records
    for (const auto& each : problems_) {
        std::vector<const sim::Assignment*> assignments;
        for (const Elite& elite : each->elites.all()) {
            assignments.push_back(&elite.assignment);
        }
        for (const Record* record : {&each->best, &each->policy}) {
            if (record->assignment != nullptr) {
                assignments.push_back(record->assignment.get());
            }
        }
        std::vector<std::optional<Time>>& makespans = measured.emplace_back();
        for (const sim::Assignment* assignment : assignments) {
            if (!mayGoOn()) {
                return;
            }
            makespans.push_back(
                learner_->measureWell(*each, *assignment, mixSeeds(request_.seed, 23, 0)));
        }
    }
    for (std::size_t i = 0; i < problems_.size(); ++i) {
        ProblemState& state = *problems_[i];
        auto makespan = measured[i].begin();
        for (const Elite& elite : state.elites.takeAll()) {
            if (makespan->has_value()) {
                state.elites.offer(**makespan, elite.order, elite.assignment);
            }
            ++makespan;
        }
        for (Record* record : {&state.best, &state.policy}) {
            if (record->assignment != nullptr) {
                if (makespan->has_value()) {
                    record->makespan = **makespan;
                    record->fits = true;
                } else {
                    *record = {}; // cannot run
                }
                ++makespan;
            }
        }
        state.greedy = {};
        state.baseline = {};
    }
    progress_.onSystem = true;
    directory_.forgetBests();
}

double Training::shareDone(const StagePlan& plan) const {
    return static_cast<double>(progress_.stageEpisodes) / static_cast<double>(plan.episodes);
}

double Training::rate(const StagePlan& plan) const {
    const TrainOptions& options = request_.options;
    if (plan.stage == Stage::Imitation) {
        return options.imitationRate * (options.decayImitationRate ? 1 - shareDone(plan) : 1);
    }
    const double done = options.rateUpdates == 0
                            ? shareDone(plan)
                            : std::min(1.0, static_cast<double>(progress_.stageUpdates) /
                                                static_cast<double>(options.rateUpdates));
    return options.firstRate + (options.lastRate - options.firstRate) * done;
}

UpdateOutcome Training::update(const StagePlan& plan, ProblemState& state) {
    lastRate_ = rate(plan);
    const std::uint64_t seed =
        mixSeeds(request_.seed, 24, static_cast<std::uint64_t>(progress_.updates));
    if (plan.stage == Stage::Imitation) {
        if (request_.options.teacher == Teacher::CriticalPath) {
            state.imitated = {criticalPathTeacher(state, seed)};
        }
        return learner_->imitate(state, lastRate_);
    }
    Learner::Reinforcement how;
    how.choosing.temperature = request_.options.temperature;
    how.choosing.epsilon = request_.options.firstEpsilon * (1 - shareDone(plan));
    how.choosing.mode = request_.options.mode;
    how.rate = lastRate_;
    how.seed = seed;
    how.onSystem = plan.stage == Stage::System;
    const bool costs = how.onSystem || problems_.size() > 1; // judging takes all problems
    how.withGreedy =
        !costs || request_.options.batch > 1 || progress_.stageUpdates % kGreedyEvery == 0;
    how.mayGoOn = [this] { return mayGoOn(); };
    how.isOver = [this] { return isOver(); };
    if (plan.stage == Stage::Simulation && &state == problems_.front().get()) {
        how.beforeStep = [this](const Episode& greedy) { judgeWeights(greedy.assignment); };
    }
    return learner_->reinforce(state, how);
}

void Training::account(const StagePlan& plan, int index, const UpdateOutcome& outcome) {
    ProblemState& state = *problems_[static_cast<std::size_t>(index)];
    const std::shared_ptr<const sim::Assignment> before = state.best.assignment;
    try {
        keepRecords(state, outcome, plan.stage);
    } catch (const EvaluationStopped&) {
        end(EndReason::Stopped); // the update was made, and is told
    }
    if (plan.stage == Stage::System) {
        measuredEpisodes_ += static_cast<std::int64_t>(outcome.failed.size());
        failedEpisodes_ += std::count(outcome.failed.begin(), outcome.failed.end(), true);
    }
    progress_.seconds = secondsNow();

    UpdateFacts facts;
    facts.stage = plan.stage;
    facts.problem = index;
    facts.update = progress_.updates;
    facts.episodes = progress_.episodes;
    facts.stageEpisodes = progress_.stageEpisodes;
    facts.stagePlanned = plan.episodes;
    const std::vector<Time> makespans = whatRan(outcome);
    facts.makespans = makespans;
    facts.predicted = outcome.predicted;
    facts.mean = meanOf(outcome);
    facts.best = state.best.makespan;
    facts.policyBest = state.policy.makespan;
    facts.greedy = state.greedy.makespan;
    facts.loss = outcome.loss;
    facts.entropy = outcome.entropy;
    facts.agreement = outcome.agreement;
    facts.learningRate = lastRate_;
    facts.gradientNorm = outcome.gradientNorm;
    facts.episodesPerSecond = episodesPerSecond_;
    facts.seconds = progress_.seconds;
    facts.secondsLeft =
        static_cast<double>(plan.episodes - progress_.stageEpisodes) / episodesPerSecond_;
    if (request_.budgetSeconds) {
        facts.secondsLeft =
            std::min(facts.secondsLeft, *request_.budgetSeconds - progress_.seconds);
    }
    // What was found before the first update is told with it.
    const bool taught = plan.stage == Stage::Imitation &&
                        progress_.stageUpdates <= static_cast<std::int64_t>(problems_.size());
    if (state.best.assignment != before || taught) {
        facts.improved = state.best.assignment;
        facts.improvedBy = state.best.by;
    }
    if (outcome.greedy) {
        facts.latest = state.greedy.assignment;
    }
    directory_.addEpisodes(facts);
    if (request_.progress) {
        request_.progress(facts);
    }
}

void Training::polish(ProblemState& state) {
    const double began = secondsNow();
    const auto& episodes = learner_->episodes();
    const Episode* candidate = &episodes.front();
    const int count = std::min(kPolishCandidates, request_.options.batch);
    for (const Episode& episode : std::span(episodes).first(static_cast<std::size_t>(count))) {
        candidate = episode.judged() < candidate->judged() ? &episode : candidate;
    }
    const std::vector<Episode> found = polished(
        state, learner_->pool(), {state.best.assignment.get(), &candidate->assignment},
        annealingEvaluations(*state.problem, kPolishSeconds),
        mixSeeds(request_.seed, 25, static_cast<std::uint64_t>(progress_.updates)), request_.stop);
    if (request_.stop.stop_requested()) {
        return; // cut short: it would not come out the same way again
    }
    for (const Episode& episode : found) {
        const bool fits = state.fits(episode.assignment);
        state.best.offer(episode.makespan, episode.assignment, Origin::Polish, fits);
        if (fits) {
            state.elites.offer(episode.makespan, episode.order, episode.assignment);
        }
    }
    learner_->times().polish += secondsNow() - began;
}

/// True if the stage has nothing more to bring.
bool Training::plateau(Stage stage, const UpdateOutcome& outcome) {
    if (stage == Stage::Imitation) {
        progress_.agreedInARow = outcome.agreement >= kLearnt ? progress_.agreedInARow + 1 : 0;
        const bool learnt = request_.options.teacher != Teacher::CriticalPath &&
                            progress_.agreedInARow >= kLearntInARow;
        if (learnt) {
            result_.notes.push_back("stage imitation ended after " +
                                    std::to_string(progress_.stageUpdates) +
                                    " updates: the policy makes the teacher's choices");
        }
        return learnt;
    }
    double bestSum = 0;
    for (const auto& state : problems_) {
        constexpr double kDoesNotFit = 3; // as much as a placement is judged by at most
        bestSum += (state->best.fits ? 1 : kDoesNotFit) * static_cast<double>(state->best.makespan);
    }
    const bool first = progress_.smoothed == 0;
    progress_.smoothed += (first ? 1.0 : kSmoothing) * (outcome.judgedMean - progress_.smoothed);
    if (first || progress_.smoothed < progress_.bestSmoothed * (1 - kImprovement) ||
        bestSum < progress_.bestSum * (1 - kImprovement) ||
        (progress_.bestSum == 0 && bestSum > 0)) {
        progress_.bestSmoothed = progress_.smoothed;
        progress_.bestSum = bestSum;
        progress_.improvedAt = progress_.stageUpdates;
    }
    if (request_.options.patience == 0 ||
        progress_.stageUpdates - progress_.improvedAt < request_.options.patience) {
        return false;
    }
    result_.reason = EndReason::Plateau;
    result_.notes.emplace_back("stage " + std::string(name(stage)) + " ended after " +
                               std::to_string(progress_.stageUpdates) +
                               " updates: nothing had improved for " +
                               std::to_string(request_.options.patience));
    return true;
}

bool Training::hopeless(Stage stage) const {
    return stage == Stage::System && progress_.stageEpisodes >= kHopelessEpisodes &&
           std::all_of(problems_.begin(), problems_.end(),
                       [](const auto& state) { return state->best.assignment == nullptr; });
}

void Training::saveIfDue(bool now) {
    const auto since = [](Clock::time_point moment) {
        return std::chrono::duration<double>(Clock::now() - moment).count();
    };
    // Sooner at first: one that is killed early has something to resume from.
    const double every =
        std::min(request_.saveEverySeconds, std::max(kFirstSaveSeconds, since(startedAt_) / 2));
    if (!directory_.wanted() || (!now && since(savedAt_) < every)) {
        return;
    }
    const double began = secondsNow();
    progress_.seconds = began;
    Checkpoint current = checkpoint();
    directory_.save(current, request_);
    savedAt_ = Clock::now();
    learner_->times().files += secondsNow() - began;
}

} // namespace doppler::learn
