#include "views/training/TrainingRun.h"

#include <algorithm>

#include "core/graph/InputError.h"
#include "core/learn/Checkpoint.h"

namespace doppler::views {

namespace {

constexpr std::int64_t kEndless = 1'000'000'000;
constexpr std::int64_t kSystemEpisodes = 2'000;

learn::Checkpoint checkpointIn(const QString& folder) {
    return learn::readCheckpoint(folder.toStdString() + "/checkpoint.pt");
}

} // namespace

learn::TrainOptions TrainingSettings::options() const {
    if (resume) {
        return checkpointIn(folder).options;
    }
    learn::TrainOptions options = learn::presetOptions(preset.toStdString());
    const auto isSystem = [](const learn::StagePlan& plan) {
        return plan.stage == learn::Stage::System;
    };
    if (!stages.trimmed().isEmpty()) {
        options.stages = learn::parseStages(stages.trimmed().toStdString());
    } else if (!systemEvaluator.isEmpty()) {
        options.stages.push_back({learn::Stage::System, kSystemEpisodes});
    } else if (budgetSeconds > 0 && preset == QLatin1String("fast")) {
        options.stages.back().episodes = kEndless; // the time alone decides
    }
    options.mode = learn::parsePolicyMode(policyMode.toStdString());
    options.polish = polish;
    if (init == kGeneralPolicies) {
        options.teacher = learn::Teacher::General;
    }
    const auto isImitation = [](const learn::StagePlan& plan) {
        return plan.stage == learn::Stage::Imitation;
    };
    if (init == kGeneralPolicies &&
        std::none_of(options.stages.begin(), options.stages.end(), isImitation)) {
        throw InputError("stages: found no stage imitation, expected one for the general policies "
                         "that the run is to start from");
    }
    const bool system = std::any_of(options.stages.begin(), options.stages.end(), isSystem);
    if (system != !systemEvaluator.isEmpty()) {
        throw InputError(system ? "stages: found stage system without anything to run it on, "
                                  "expected a choice of stage III"
                                : "stages: found no stage system, expected one for what was "
                                  "chosen to run it on");
    }
    return options;
}

TrainingRun::TrainingRun(QString name, TrainingSettings settings,
                         std::shared_ptr<const sim::Problem> problem, QObject* parent)
    : QObject(parent)
    , name_(std::move(name))
    , settings_(std::move(settings))
    , options_(settings_.options())
    , problem_(std::move(problem))
    , feed_(std::make_shared<TrainingFeed>())
    , pause_(std::make_shared<learn::PauseSwitch>()) {
    if (settings_.resume) {
        secondsBefore_ = checkpointIn(settings_.folder).progress.seconds;
    }
}

QString TrainingRun::stateText() const {
    switch (state_) {
    case RunState::Failed:
        return failure_;
    case RunState::Paused:
        return tr("Paused");
    case RunState::Stopping:
        return tr("Stopping");
    case RunState::Ended:
        break;
    case RunState::Starting:
        return activity_.isEmpty() ? tr("Starting") : activity_;
    case RunState::Running:
        return activity_.isEmpty() ? tr("Training") : activity_;
    }
    switch (result_->reason) {
    case learn::EndReason::Finished:
        return tr("Finished: all episodes done");
    case learn::EndReason::Budget:
        return tr("Finished: the time is over");
    case learn::EndReason::Stopped:
        return tr("Stopped");
    case learn::EndReason::Plateau:
        return tr("Finished: nothing improved any more");
    case learn::EndReason::Diverged:
        return tr("Diverged: the last good weights are kept");
    }
    return {};
}

QString TrainingRun::notesText() const {
    QStringList lines;
    if (result_) {
        for (const std::string& note : result_->notes) {
            const QString text = QString::fromStdString(note);
            lines.append(text.left(1).toUpper() + text.mid(1));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

double TrainingRun::fraction() const {
    if (!facts_) {
        return -1;
    }
    if (settings_.budgetSeconds > 0) {
        return std::clamp((facts_->seconds - secondsBefore_) / settings_.budgetSeconds, 0.0, 1.0);
    }
    std::int64_t planned = 0;
    for (const learn::StagePlan& plan : options_.stages) {
        planned += plan.episodes;
    }
    return planned == 0
               ? -1
               : std::clamp(static_cast<double>(facts_->episodes) / static_cast<double>(planned),
                            0.0, 1.0);
}

void TrainingRun::takeNews() {
    const TrainingFeed::News news = feed_->take();
    for (const TrainingFeed::Stretch& stretch : news.stretches) {
        curve_.startStage(stretch.stage);
        curve_.add(stretch.makespans);
        curve_.setBest(stretch.best);
    }
    const QString activity = QString::fromStdString(news.activity);
    const bool anything = news.updated || !news.bests.empty() || activity != activity_;
    activity_ = activity;
    if (news.latest) {
        latest_ = news.latest;
    }
    if (news.updated) {
        facts_ = news.facts;
        if (state_ == RunState::Starting) {
            state_ = RunState::Running;
        }
    }
    bests_.insert(bests_.end(), news.bests.begin(), news.bests.end());
    if (anything) {
        Q_EMIT changed();
    }
    if (!news.bests.empty()) {
        Q_EMIT improved();
    }
}

void TrainingRun::setState(RunState state) {
    if (state != state_) {
        state_ = state;
        Q_EMIT changed();
    }
}

void TrainingRun::end(learn::TrainResult result) {
    takeNews();
    result_ = std::move(result);
    // What was found between two updates, or before the first.
    if (!result_->problems.empty()) {
        const learn::ProblemResult& ours = result_->problems.front();
        if (ours.best > 0 && (bests_.empty() || ours.best < bests_.back().makespan)) {
            bests_.push_back({std::make_shared<const sim::Assignment>(ours.bestAssignment),
                              ours.best, result_->episodes, ours.bestBy});
            curve_.setBest(ours.best);
        }
        if (facts_) { // its end is news too
            facts_->best = ours.best > 0 ? ours.best : facts_->best;
            facts_->policyBest = ours.policy > 0 ? ours.policy : facts_->policyBest;
        }
    }
    state_ = RunState::Ended;
    Q_EMIT changed();
}

void TrainingRun::fail(const QString& message) {
    takeNews();
    failure_ = message;
    state_ = RunState::Failed;
    Q_EMIT changed();
}

} // namespace doppler::views
