#include "views/training/TrainingRuns.h"

#include <QDateTime>
#include <QDir>
#include <QScopedValueRollback>
#include <QStandardPaths>
#include <algorithm>
#include <thread>

#include "core/engine/RuntimeEvaluator.h"
#include "core/graph/InputError.h"
#include "views/format/Format.h"
#include "views/jobs/JobRunner.h"
#include "views/running/RealRuns.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

namespace {

constexpr int kTickMs = 100;
constexpr int kNiceness = 10; // the window stays fluent while all cores train
const QString kMethod = QStringLiteral("doppler");
const QString kLatestMethod = QStringLiteral("doppler latest");

std::set<OpId> differingOps(const sim::Assignment& a, const sim::Assignment& b) {
    std::set<OpId> ops;
    for (std::size_t op = 0; op < a.size() && op < b.size(); ++op) {
        if (a[op] != b[op]) {
            ops.insert(ops.end(), static_cast<OpId>(op));
        }
    }
    return ops;
}

/// What judges stage III. Throws InputError where it cannot be made.
std::shared_ptr<learn::Evaluator> systemEvaluator(const engine::RunSetupRequest& request) {
    const auto& problem = request.problem;
    if (request.runtime != "emulated" && problem->costs->unit() != cost::TimeUnit::Nanoseconds) {
        throw InputError("stage system on the runtime " + request.runtime +
                         ": found costs in the units of a file, expected physical or profiled "
                         "costs, which are times");
    }
    const auto lanes = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return engine::systemEvaluator(request, lanes);
}

QString jobText(const learn::UpdateFacts& facts, const learn::TrainOptions& options,
                cost::TimeUnit unit) {
    std::size_t number = 1;
    while (number < options.stages.size() && options.stages[number - 1].stage != facts.stage) {
        ++number;
    }
    return TrainingRuns::tr("stage %1 of %2, best %3")
        .arg(number)
        .arg(options.stages.size())
        .arg(timeText(facts.best, unit));
}

} // namespace

TrainingRuns::TrainingRuns(Workspace& workspace, QObject* parent)
    : QObject(parent), workspace_(workspace) {
    timer_.setInterval(kTickMs);
    connect(&timer_, &QTimer::timeout, this, &TrainingRuns::tick);
    connect(&workspace, &Workspace::graphChanged, this, &TrainingRuns::problemChanged);
    connect(&workspace, &Workspace::problemChanged, this, &TrainingRuns::problemChanged);
    connect(&workspace, &Workspace::pinsChanged, this, &TrainingRuns::problemChanged);
    connect(&workspace, &Workspace::currentChanged, this, &TrainingRuns::currentChanged);
}

TrainingRuns::~TrainingRuns() {
    if (active_ != nullptr) {
        active_->pauseSwitch()->set(false);
    }
}

TrainingRun* TrainingRuns::active() const {
    return active_;
}

QString TrainingRuns::defaultFolder() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
        .filePath(QStringLiteral("training/") +
                  QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd-HHmmss")));
}

QString TrainingRuns::uniqueName(const TrainingSettings& settings) const {
    const QString base = tr("%1, seed %2").arg(settings.preset).arg(settings.seed);
    QString name = base;
    const auto taken = [this](const QString& text) {
        return std::any_of(runs_.begin(), runs_.end(),
                           [&](const auto& run) { return run->name() == text; });
    };
    for (int number = 2; taken(name); ++number) {
        name = tr("%1 (%2)").arg(base).arg(number);
    }
    return name;
}

TrainingRun* TrainingRuns::start(const TrainingSettings& settings) {
    if (active_ != nullptr || !workspace_.hasProblem()) {
        return nullptr;
    }
    auto run = std::make_unique<TrainingRun>(uniqueName(settings), settings, workspace_.problem());
    learn::TrainRequest request;
    request.problems = {run->problem()};
    request.options = run->options();
    request.seed = settings.seed;
    if (settings.budgetSeconds > 0) {
        request.budgetSeconds = settings.budgetSeconds + run->secondsBefore();
    }
    request.niceness = kNiceness;
    request.directory = settings.folder.toStdString();
    request.resume = settings.resume;
    request.init = settings.checkpoint().toStdString();
    request.pause = run->pauseSwitch();

    TrainingRun* started = run.get();
    active_ = started;
    followedBests_ = 0;
    followedLatest_ = nullptr;
    connect(started, &TrainingRun::changed, this, [this, started] { Q_EMIT runChanged(started); });
    runs_.push_back(std::move(run));

    job_ = workspace_.jobs().start<learn::TrainResult>(
        {tr("Training doppler"), true, false, this},
        [request, feed = started->feed(), onSystem = !settings.systemEvaluator.isEmpty(),
         setup = setupRequest(workspace_, settings.systemEvaluator, settings.seed)](
            JobContext& context) mutable {
            request.stop = context.stopToken();
            if (onSystem) {
                request.system = {systemEvaluator(setup)};
            }
            const cost::TimeUnit unit = request.problems.front()->costs->unit();
            request.progress = [&](const learn::UpdateFacts& facts) {
                feed->add(facts);
                const double share =
                    request.budgetSeconds ? facts.seconds / *request.budgetSeconds : -1;
                context.report(share, jobText(facts, request.options, unit));
            };
            request.activity = [&](const std::string& text, double share) {
                feed->setActivity(text, share);
                context.report(share, QString::fromStdString(text));
            };
            return learn::train(request);
        },
        [started](learn::TrainResult result) { started->end(std::move(result)); },
        [started](const QString& message) { started->fail(message); });
    connect(job_, &Job::finished, this, [this, started] { ended(started); });
    timer_.start();
    Q_EMIT runsChanged();
    return started;
}

void TrainingRuns::setPaused(bool paused) {
    if (active_ != nullptr && active_->state() != RunState::Stopping) {
        active_->pauseSwitch()->set(paused);
        active_->setState(
            paused ? RunState::Paused
                   : (active_->facts() != nullptr ? RunState::Running : RunState::Starting));
    }
}

void TrainingRuns::stop() {
    if (active_ != nullptr) {
        active_->pauseSwitch()->set(false);
        active_->setState(RunState::Stopping);
        job_->cancel();
    }
}

void TrainingRuns::remove(TrainingRun* run) {
    if (run == active_) {
        return;
    }
    rows_.erase(run);
    std::erase_if(runs_, [run](const auto& each) { return each.get() == run; });
    Q_EMIT runsChanged();
}

void TrainingRuns::tick() {
    if (active_ != nullptr) {
        active_->takeNews();
        follow(*active_);
    }
}

void TrainingRuns::ended(TrainingRun* run) {
    if (run->isActive()) {
        // Its result was dropped: another graph came, or the window closes.
        learn::TrainResult result;
        result.reason = learn::EndReason::Stopped;
        run->end(std::move(result));
    } else if (workspace_.isOpen(*run->problem())) {
        follow(*run);
    }
    timer_.stop();
    active_ = nullptr;
    job_ = nullptr;
    Q_EMIT runsChanged();
}

void TrainingRuns::problemChanged() {
    if (active_ == nullptr || workspace_.problem() == active_->problem() ||
        active_->state() == RunState::Stopping) {
        return;
    }
    const QString folder = active_->settings().folder;
    const bool pinned = workspace_.isOpen(*active_->problem());
    stop();
    Q_EMIT workspace_.notice(
        (pinned ? tr("Training stopped: it knows nothing of the new pins. Its run is kept in %1")
                : tr("Training stopped: its problem is no longer open. Its run is kept in %1"))
            .arg(folder));
}

void TrainingRuns::currentChanged() {
    if (changingRows_ || active_ == nullptr || follow_ == Follow::Nothing) {
        return;
    }
    const Rows& rows = rows_[active_];
    const int current = workspace_.currentId();
    if (rows.best >= 0 && current != rows.best && current != rows.latest) {
        setFollow(Follow::Nothing);
        Q_EMIT workspace_.notice(tr("No longer following the training"));
    }
}

void TrainingRuns::setFollow(Follow follow) {
    if (follow == follow_) {
        return;
    }
    follow_ = follow;
    if (active_ != nullptr) {
        followedBests_ = 0;
        followedLatest_ = nullptr;
        this->follow(*active_);
    }
    Q_EMIT followChanged();
}

void TrainingRuns::follow(TrainingRun& run) {
    if (!workspace_.isOpen(*run.problem())) {
        return;
    }
    if (run.bests().size() > followedBests_) {
        followedBests_ = run.bests().size();
        showInRow(rows_[&run].best, run, *run.bests().back().assignment, kMethod,
                  follow_ == Follow::Best);
    }
    if (follow_ == Follow::Latest && run.latest() && run.latest() != followedLatest_) {
        followedLatest_ = run.latest();
        showInRow(rows_[&run].latest, run, *run.latest(), kLatestMethod, true);
    }
}

void TrainingRuns::showInRow(int& row, TrainingRun& run, const sim::Assignment& assignment,
                             const QString& method, bool show) {
    const QScopedValueRollback<bool> guard(changingRows_, true);
    const double seconds = run.facts() != nullptr ? run.facts()->seconds : 0;
    std::set<OpId> moved;
    if (workspace_.placement(row) == nullptr) {
        row =
            workspace_.addPlacement(assignment, method, run.settings().seed, seconds, show, false);
    } else {
        moved = differingOps(*workspace_.placement(row)->assignment, assignment);
        workspace_.replaceFound(row, assignment, seconds);
        if (show) {
            workspace_.setCurrent(row);
        }
    }
    const Placement* shown = workspace_.placement(row);
    if (show && shown->timeline) {
        Q_EMIT followed(shown->makespan(), moved);
    }
}

void TrainingRuns::showBest(TrainingRun& run, std::size_t index) {
    if (!workspace_.isOpen(*run.problem()) || index >= run.bests().size() ||
        workspace_.placement(rows_[&run].best) == nullptr) {
        return;
    }
    followedBests_ = run.bests().size();
    showInRow(rows_[&run].best, run, *run.bests()[index].assignment, kMethod, true);
}

} // namespace doppler::views
