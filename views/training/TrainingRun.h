#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "views/training/CurveData.h"
#include "views/training/TrainingFeed.h"

namespace doppler::views {

/// In TrainingSettings::init: the general policies that come with the program, tuned on the
/// problem, are imitated first.
inline const QString kGeneralPolicies = QStringLiteral("general");

/// What is asked for a training of the open problem.
struct TrainingSettings {
    QString preset = QStringLiteral("fast");
    QString stages; ///< "imitation:500,simulation:20000"; empty: the preset's
    QString policyMode = QStringLiteral("dual");
    double budgetSeconds = 60; ///< from now on; 0: until the stages are done
    std::uint64_t seed = 1;
    bool polish = true;
    QString systemEvaluator; ///< what judges stage III; empty: no stage III
    /// Checkpoint to start from, or kGeneralPolicies; empty: random weights.
    QString init;
    QString folder; ///< where the run is kept
    bool resume = false;

    /// The checkpoint of `init`, if it is one; else empty.
    QString checkpoint() const { return init == kGeneralPolicies ? QString() : init; }

    /// What core is to do; of a run that is resumed, what it was started with. Throws InputError
    /// for stages or a mode that cannot be read, and for a run that cannot be resumed.
    learn::TrainOptions options() const;
};

enum class RunState { Starting, Running, Paused, Stopping, Ended, Failed };

/// One training as the window knows it. Changes come at most ten times a second.
class TrainingRun : public QObject {
    Q_OBJECT

public:
    TrainingRun(QString name, TrainingSettings settings,
                std::shared_ptr<const sim::Problem> problem, QObject* parent = nullptr);

    const QString& name() const { return name_; }
    const TrainingSettings& settings() const { return settings_; }
    const learn::TrainOptions& options() const { return options_; }
    /// Trained before it was resumed.
    double secondsBefore() const { return secondsBefore_; }
    const std::shared_ptr<const sim::Problem>& problem() const { return problem_; }
    RunState state() const { return state_; }
    bool isActive() const { return state_ != RunState::Ended && state_ != RunState::Failed; }
    const CurveData& curve() const { return curve_; }
    /// Of the latest update; null before the first.
    const learn::UpdateFacts* facts() const { return facts_ ? &*facts_ : nullptr; }
    /// Every best in the order found.
    const std::vector<TrainingFeed::NewBest>& bests() const { return bests_; }
    const std::shared_ptr<const sim::Assignment>& latest() const { return latest_; }
    /// Null until it ended.
    const learn::TrainResult* result() const { return result_ ? &*result_ : nullptr; }
    /// "Annealing the teacher's placements", "Paused", "Diverged: ...": one line for the user.
    QString stateText() const;
    /// What is worth knowing of one that ended, a sentence a line; empty: nothing.
    QString notesText() const;
    /// What goes on between updates; empty: nothing.
    const QString& activity() const { return activity_; }
    /// 0..1 of the budget or of the planned episodes; negative: unknown.
    double fraction() const;

    // For TrainingRuns.
    // Shared with the thread that trains, which may outlive the run by a moment.
    const std::shared_ptr<TrainingFeed>& feed() const { return feed_; }
    const std::shared_ptr<learn::PauseSwitch>& pauseSwitch() const { return pause_; }
    void takeNews();
    void setState(RunState state);
    void end(learn::TrainResult result);
    void fail(const QString& message);

Q_SIGNALS:
    void changed();
    void improved(); ///< bests() has a new last

private:
    QString name_;
    TrainingSettings settings_;
    learn::TrainOptions options_;
    double secondsBefore_ = 0;
    std::shared_ptr<const sim::Problem> problem_;
    RunState state_ = RunState::Starting;
    CurveData curve_;
    std::shared_ptr<TrainingFeed> feed_;
    std::shared_ptr<learn::PauseSwitch> pause_;
    std::optional<learn::UpdateFacts> facts_;
    std::vector<TrainingFeed::NewBest> bests_;
    std::shared_ptr<const sim::Assignment> latest_;
    std::optional<learn::TrainResult> result_;
    QString activity_;
    QString failure_;
};

} // namespace doppler::views
