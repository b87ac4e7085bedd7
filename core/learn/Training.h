#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "core/learn/Learner.h"
#include "core/learn/RunDirectory.h"
#include "core/learn/Teacher.h"
#include "core/learn/Trainer.h"

namespace doppler::learn {

/// One run of train(): the stages, and all that goes on around the updates.
class Training {
public:
    explicit Training(const TrainRequest& request);

    TrainResult run();

private:
    using Clock = std::chrono::steady_clock;

    static constexpr std::int64_t kPolishEvery = 300; // updates of stage II

    // Start (TrainingStart.cpp).
    void checkRequest() const;
    void makeProblems();
    void startAnew();
    void resume(const Checkpoint& checkpoint);
    Checkpoint checkpoint() const;

    // Stages.
    void runStages();
    void runStage(const StagePlan& plan);
    bool mayGoOn();
    bool isOver() const;
    void enterStage(const StagePlan& plan);
    void findTeachers();
    TeacherSearch teacherSearch(std::size_t index) const;
    void enterSystem();
    UpdateOutcome update(const StagePlan& plan, ProblemState& state);
    void account(const StagePlan& plan, int index, const UpdateOutcome& outcome);
    void keepRecords(ProblemState& state, const UpdateOutcome& outcome, Stage stage);
    bool offerGreedy(ProblemState& state);
    bool offerMeasured(ProblemState& state, Time& makespan, const sim::Assignment& candidate,
                       Origin origin, std::uint64_t seed);
    bool hopeless(Stage stage) const;
    std::uint64_t judgeSeed(std::size_t index) const;
    Time judgedAlike(std::size_t index, const sim::Assignment& assignment) const;
    void judgeWeights(const sim::Assignment& greedyOfFirst);
    double greedyScore() const;
    void chooseWeights();
    void chooseMeasured(std::size_t index);
    void polish(ProblemState& state);
    bool plateau(Stage stage, const UpdateOutcome& outcome);
    void end(EndReason reason);

    // Around them.
    double secondsNow() const;
    void saveIfDue(bool now);
    void keepGood();
    bool offerFinal(ProblemState& state);
    void finishResult();
    void addNotes();
    double rate(const StagePlan& plan) const;
    double shareDone(const StagePlan& plan) const;

    TrainRequest request_;
    RunDirectory directory_;
    std::unique_ptr<Learner> learner_;
    std::vector<std::unique_ptr<ProblemState>> problems_;
    std::vector<std::string> hashes_;
    SavedProgress progress_;
    TrainResult result_;
    bool ended_ = false;

    Clock::time_point resumedAt_;
    Clock::time_point startedAt_;
    double secondsBefore_ = 0; // pauses excluded
    Clock::time_point savedAt_;
    double episodesPerSecond_ = 0; // smoothed
    double lastRate_ = 0;          // of the latest update
    std::int64_t measuredEpisodes_ = 0;
    std::int64_t failedEpisodes_ = 0; // of those: could not run
    std::int64_t timedEpisodes_ = 0;
    double timedSeconds_ = 0;
    std::vector<float> goodWeights_;
    std::unique_ptr<Adam> goodAdam_;
    BestWeights bestWeights_;
};

} // namespace doppler::learn
