#include "views/running/RealRuns.h"

#include <QSettings>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "core/engine/Measurement.h"
#include "core/engine/ResultCheck.h"
#include "core/graph/InputError.h"
#include "core/workload/Workload.h"
#include "views/jobs/JobRunner.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

namespace {

constexpr int kLookMs = 100;
const QString kEmulated = QStringLiteral("emulated");

void addStatistics(RealResult& result, const std::vector<Time>& makespans) {
    result.runs = static_cast<int>(makespans.size());
    double sum = 0;
    for (const Time makespan : makespans) {
        sum += static_cast<double>(makespan);
    }
    result.mean = sum / result.runs;
    double squares = 0;
    for (const Time makespan : makespans) {
        squares += std::pow(static_cast<double>(makespan) - result.mean, 2);
    }
    result.sd = result.runs > 1 ? std::sqrt(squares / (result.runs - 1)) : 0;
}

} // namespace

engine::RunSetupRequest setupRequest(const Workspace& workspace, const QString& runtime,
                                     std::uint64_t seed) {
    const bool profiled = workspace.costModel() == cost::CostModel::Profiled;
    return {.problem = workspace.problem(),
            .graph = workspace.graphSource().toStdString(),
            .runtime = runtime.toStdString(),
            .profile = profiled ? workspace.profile() : nullptr,
            .profileSource = workspace.clusterSource().toStdString(),
            .seed = seed};
}

std::shared_ptr<const RealResult> runForReal(const engine::RunSetupRequest& request,
                                             const sim::Assignment& assignment,
                                             const RunChoice& choice, LiveRun& live,
                                             JobContext& context) {
    context.report(-1, RealRuns::tr("preparing"));
    const engine::RunSetup setup = engine::setUpRun(request);
    engine::Executor executor(setup.executed, *setup.runtime);
    std::optional<engine::ResultCheck> check;
    if (choice.check && setup.program) {
        context.report(-1, RealRuns::tr("computing the whole program to compare with"));
        check.emplace(setup.program, choice.seed);
    }
    engine::MeasurementRequest measuring;
    measuring.assignment = assignment;
    measuring.repeats = choice.runs;
    measuring.warmUps = choice.warmUps;
    measuring.stop = context.stopToken();
    measuring.check = check ? &*check : nullptr;
    measuring.runBegins = [&](int run) {
        const QString what = run < 0 ? RealRuns::tr("warming up")
                                     : RealRuns::tr("run %1 of %2").arg(run + 1).arg(choice.runs);
        live.begin(what, executor.problem(), setup.runtime->info().emulated);
        context.report(std::max(0, run) / static_cast<double>(choice.runs), what);
    };
    // Only what does not count is drawn as it happens: looking would disturb the rest.
    std::atomic<bool> drawn = true;
    const auto begins = measuring.runBegins;
    measuring.runBegins = [&drawn, begins](int run) {
        drawn = run <= 0;
        begins(run);
    };
    measuring.interval = [&live, &drawn](const sim::Interval& interval) {
        if (drawn) {
            live.add(interval);
        }
    };
    const engine::Measurement measured = engine::measure(executor, measuring);
    if (!measured.done()) {
        throw std::runtime_error(measured.message);
    }
    auto result = std::make_shared<RealResult>();
    result->runtime = choice.runtime;
    result->emulated = setup.runtime->info().emulated;
    result->problem = executor.problem();
    result->timeline = std::make_shared<const sim::Timeline>(measured.timeline);
    result->report = std::make_shared<const sim::Report>(
        sim::makeReport(*executor.problem(), assignment, measured.timeline));
    addStatistics(*result, measured.makespans);
    result->relativeError = measured.relativeError;
    if (setup.program) {
        result->errorLimit = engine::errorLimit(setup.program->program);
    }
    for (const std::string& note : setup.runtime->info().notes) {
        result->notes.append(QString::fromStdString(note));
    }
    return result;
}

void LiveRun::begin(const QString& what, std::shared_ptr<const sim::Problem> problem,
                    bool emulated) {
    const std::lock_guard lock(mutex_);
    result_.runtime = what;
    result_.problem = std::move(problem);
    result_.emulated = emulated;
    fresh_.clear();
    ++run_;
}

void LiveRun::add(const sim::Interval& interval) {
    const std::lock_guard lock(mutex_);
    fresh_.push_back(interval);
}

// The lock is held for a swap only: the event loop of the run waits for it.
std::shared_ptr<const RealResult> LiveRun::take() {
    std::vector<sim::Interval> fresh;
    auto result = std::make_shared<RealResult>();
    {
        const std::lock_guard lock(mutex_);
        if (fresh_.empty()) {
            return nullptr;
        }
        fresh.swap(fresh_);
        *result = result_;
        if (run_ != takenRun_) {
            taken_.clear();
            takenRun_ = run_;
        }
    }
    taken_.insert(taken_.end(), fresh.begin(), fresh.end());
    auto timeline = std::make_shared<sim::Timeline>();
    timeline->deviceCount = result->problem->deviceCount();
    timeline->intervals = taken_;
    std::sort(timeline->intervals.begin(), timeline->intervals.end(),
              [](const sim::Interval& a, const sim::Interval& b) { return a.start < b.start; });
    for (const sim::Interval& interval : taken_) {
        timeline->makespan = std::max(timeline->makespan, interval.end);
    }
    auto report = std::make_shared<sim::Report>();
    report->makespan = timeline->makespan;
    report->devices.resize(static_cast<std::size_t>(timeline->deviceCount));
    result->timeline = std::move(timeline);
    result->report = std::move(report);
    return result;
}

RealRuns::RealRuns(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {
    timer_.setInterval(kLookMs);
    connect(&timer_, &QTimer::timeout, this, &RealRuns::showLive);
}

void RealRuns::showLive() {
    const auto news = live_->take();
    if (news && news->problem->cluster == workspace_.problem()->cluster) {
        workspace_.setLive(placement_, news);
    }
}

RunChoice RealRuns::storedChoice() {
    const QSettings settings;
    RunChoice choice;
    const QString runtime =
        settings.value(QStringLiteral("run/runtime"), choice.runtime).toString();
    const auto& kinds = engine::runtimeKinds();
    if (std::any_of(kinds.begin(), kinds.end(), [&](const engine::RuntimeKind& kind) {
            return runtime == QString::fromStdString(kind.name);
        })) {
        choice.runtime = runtime;
    }
    choice.runs =
        std::clamp(settings.value(QStringLiteral("run/runs"), choice.runs).toInt(), 1, 1000);
    choice.check = settings.value(QStringLiteral("run/check"), choice.check).toBool();
    return choice;
}

void RealRuns::storeChoice(const RunChoice& choice) {
    QSettings settings;
    settings.setValue(QStringLiteral("run/runtime"), choice.runtime);
    settings.setValue(QStringLiteral("run/runs"), choice.runs);
    settings.setValue(QStringLiteral("run/check"), choice.check);
}

QString RealRuns::obstacle(const QString& runtime) const {
    if (!workspace_.hasProblem()) {
        return tr("Nothing is open");
    }
    if (runtime == kEmulated) {
        return {};
    }
    return workload::isWorkload(workspace_.graphSource().toStdString())
               ? QString()
               : tr("A graph from a file does not say what its ops compute; workloads can be run");
}

void RealRuns::run(const RunChoice& choice) {
    const Placement* shown = workspace_.committed();
    if (job_ != nullptr || shown == nullptr) {
        return;
    }
    const auto problem = workspace_.problem();
    const auto assignment = shown->assignment;
    const int id = shown->id;
    placement_ = id;
    live_ = std::make_shared<LiveRun>();
    job_ = workspace_.jobs().start<std::shared_ptr<const RealResult>>(
        {tr("Running %1 on %2").arg(shown->label(), choice.runtime), false, false, this},
        [request = setupRequest(workspace_, choice.runtime, choice.seed), assignment, choice,
         live = live_](JobContext& context) {
            return runForReal(request, *assignment, choice, *live, context);
        },
        [this, id, problem, assignment](const std::shared_ptr<const RealResult>& result) {
            const Placement* row = workspace_.placement(id);
            if (workspace_.isOpen(*problem) && row != nullptr && *row->assignment == *assignment) {
                workspace_.setReal(id, result);
                Q_EMIT done(id);
            } else {
                Q_EMIT workspace_.notice(
                    tr("The placement had changed before its run was through; the run is gone"));
            }
        },
        [this](const QString& message) { Q_EMIT failed(message); });
    connect(job_, &Job::finished, this, [this] {
        job_ = nullptr;
        timer_.stop();
        workspace_.setLive(placement_, nullptr);
        Q_EMIT runningChanged();
    });
    timer_.start();
    Q_EMIT runningChanged();
}

void RealRuns::stop() {
    if (job_ != nullptr) {
        job_->cancel();
    }
}

} // namespace doppler::views
