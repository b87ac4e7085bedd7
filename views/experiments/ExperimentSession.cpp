#include "views/experiments/ExperimentSession.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QSignalBlocker>
#include <algorithm>
#include <set>

#include "core/engine/SystemInfo.h"
#include "core/io/GraphDimensions.h"
#include "core/sim/SimOptionNames.h"
#include "views/format/Format.h"
#include "views/shell/OpenDocument.h"

namespace doppler::views {

namespace {

constexpr int kNewsInterval = 100; // ms
constexpr int kOpenDelay = 120;    // ms: several clicks open once
constexpr int kSaveDelay = 500;    // ms: and save once
const QString kFirstName = QStringLiteral("experiment");
const QString kLastName = QStringLiteral("experiments/last");

std::vector<sim::ExecutionMode> modesOf(ExperimentModes modes) {
    using sim::ExecutionMode;
    switch (modes) {
    case ExperimentModes::WorkConserving:
        return {ExecutionMode::WorkConserving};
    case ExperimentModes::BulkSynchronous:
        return {ExecutionMode::BulkSynchronous};
    case ExperimentModes::Both:
        break;
    }
    return {ExecutionMode::WorkConserving, ExecutionMode::BulkSynchronous};
}

/// Names the columns: by graph, with cluster or mode only where that is needed to tell them apart.
void nameColumns(std::vector<ExperimentColumn>& columns) {
    std::map<std::string, std::set<std::string>> clusters;
    std::map<std::string, std::set<QString>> sources;
    std::set<sim::ExecutionMode> modes;
    for (const ExperimentColumn& column : columns) {
        const sim::Problem& problem = *column.prepared->problem;
        clusters[problem.graph->name()].insert(problem.cluster->name());
        sources[problem.graph->name() + '@' + problem.cluster->name()].insert(column.source);
        modes.insert(problem.options.mode);
    }
    for (ExperimentColumn& column : columns) {
        const sim::Problem& problem = *column.prepared->problem;
        const std::string& name = problem.graph->name();
        const std::string place = name + '@' + problem.cluster->name();
        place::ExperimentProblem named = *column.prepared;
        named.label = sources[place].size() > 1   ? titleOf(column.source).toStdString()
                      : clusters[name].size() > 1 ? place
                                                  : name;
        if (modes.size() > 1) {
            named.label += ", " + std::string(sim::name(problem.options.mode));
        }
        column.prepared = std::make_shared<const place::ExperimentProblem>(std::move(named));
    }
}

} // namespace

/// What the threads of the runner tell, until the GUI thread takes it.
struct ExperimentSession::News {
    std::mutex mutex;
    std::map<std::pair<std::size_t, std::size_t>, CellActivity> activity;
    bool fresh = false;
    bool results = false;

    void take(const place::RunUpdate& update) {
        using Kind = place::RunUpdate::Kind;
        const std::lock_guard lock(mutex);
        CellActivity& cell = activity[{update.problem, update.method}];
        fresh = true;
        cell.seed = update.seed;
        cell.running = update.kind == Kind::Started || update.kind == Kind::Progress;
        cell.fraction = update.kind == Kind::Progress ? update.fraction : -1;
        cell.best = update.kind == Kind::Progress ? update.best : 0;
        if (update.kind == Kind::Failed) {
            cell.error = QString::fromStdString(update.error);
        } else if (update.kind == Kind::Done) {
            cell.error.clear();
            results = true;
        }
    }
};

ExperimentSession::ExperimentSession(const QString& folder, QObject* parent)
    : QObject(parent)
    , folder_(folder)
    , news_(std::make_shared<News>())
    , writer_(std::make_shared<SetupWriter>(folder_)) {
    experiment_.version = engine::programVersion();
    openTimer_.setSingleShot(true);
    openTimer_.setInterval(kOpenDelay);
    connect(&openTimer_, &QTimer::timeout, this, [this] { openMissing(); });
    saveTimer_.setSingleShot(true);
    saveTimer_.setInterval(kSaveDelay);
    connect(&saveTimer_, &QTimer::timeout, this, &ExperimentSession::saveInBackground);
    newsTimer_.setInterval(kNewsInterval);
    connect(&newsTimer_, &QTimer::timeout, this, &ExperimentSession::takeNews);
}

ExperimentSession::~ExperimentSession() {
    finish_.request_stop();
    if (saveTimer_.isActive()) {
        const QSignalBlocker closing(this);
        save();
    }
}

void ExperimentSession::begin() {
    if (begun_) {
        return;
    }
    begun_ = true;
    const QStringList names = folder_.names();
    const QString last = QSettings().value(kLastName).toString();
    load(names.contains(last) ? last : names.isEmpty() ? kFirstName : names.front());
}

void ExperimentSession::load(const QString& name) {
    QString problem;
    setSetup(folder_.load(name, &problem));
    if (!problem.isEmpty()) {
        Q_EMIT failed(problem);
    }
}

void ExperimentSession::removeFile() {
    saveTimer_.stop();
    writer_->remove(setup_.name);
}

void ExperimentSession::save() {
    saveTimer_.stop();
    try {
        writer_->write(setup_, writer_->newVersion());
    } catch (const std::exception& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
    }
}

// A disk may take its time.
void ExperimentSession::saveInBackground() {
    jobs_.start<bool>(
        {tr("Saving the experiment"), false, true, this},
        [writer = writer_, setup = setup_, version = writer_->newVersion()](JobContext&) {
            writer->write(setup, version);
            return true;
        },
        [](bool) {}, [this](const QString& message) { Q_EMIT failed(message); });
}

void ExperimentSession::setSetup(const ExperimentSetup& setup) {
    if (state_ != State::Idle) {
        return;
    }
    begun_ = true;
    startOnceOpened_ = false;
    forgetFailuresOfNew(setup);
    if (setup_.name != setup.name) {
        if (saveTimer_.isActive()) {
            save();
        }
        QSettings().setValue(kLastName, setup.name);
        activity_.clear();
        setup_ = setup;
        save();
    } else {
        setup_ = setup;
        saveTimer_.start();
    }
    Q_EMIT setupChanged();
    rebuild();
    openTimer_.start();
}

QString ExperimentSession::keyOf(const ExperimentGraph& graph, const ExperimentSetup& setup) {
    const QStringList parts = {
        graph.source, graph.cluster.isEmpty() ? setup.cluster : graph.cluster,
        setup.costs ? QString::number(static_cast<int>(*setup.costs)) : QString(),
        QString::number(static_cast<int>(setup.modes))};
    return parts.join(QLatin1Char('\n'));
}

QString ExperimentSession::stampOf(const ExperimentGraph& graph, const ExperimentSetup& setup) {
    QString stamp;
    QString file = graph.source;
    try {
        file = QString::fromStdString(io::parseGraphSource(file.toStdString()).path.string());
    } catch (const std::exception&) {
        // Opening it tells.
    }
    for (const QString& path : {file, graph.cluster.isEmpty() ? setup.cluster : graph.cluster}) {
        const QFileInfo info(path);
        stamp += info.exists() ? QStringLiteral("%1 %2\n")
                                     .arg(info.size())
                                     .arg(info.lastModified().toMSecsSinceEpoch())
                               : QStringLiteral("\n");
    }
    return stamp;
}

void ExperimentSession::forgetFailuresOfNew(const ExperimentSetup& next) {
    for (const ExperimentGraph& graph : next.graphs) {
        const bool known = std::find(setup_.graphs.begin(), setup_.graphs.end(), graph) !=
                           setup_.graphs.end(); // ticked too
        const auto opened = opened_.find(keyOf(graph, next));
        if (graph.chosen && !known && opened != opened_.end() && opened->second.columns.empty()) {
            opened_.erase(opened);
        }
    }
}

ExperimentSession::Opened ExperimentSession::openGraph(const ExperimentGraph& graph,
                                                       const ExperimentSetup& setup) {
    Opened opened;
    opened.stamp = stampOf(graph, setup);
    try {
        OpenRequest request;
        request.source = graph.source;
        request.cluster = graph.cluster.isEmpty() ? setup.cluster : graph.cluster;
        request.costs = setup.costs;
        OpenedDocument document = openDocument(request);
        if (document.session) { // its graph, on the cluster of the experiment
            const io::Session& session = *document.session;
            document.costs = setup.costs.value_or(cost::defaultCostModel(*session.graph));
            document.clusterSource = request.cluster;
            document.problem = sim::makeProblem(session.graph, openClusterSource(request.cluster),
                                                document.costs, defaultOptions(document.costs));
        }
        if (!document.problem) {
            opened.error = tr("%1 is no graph").arg(titleOf(graph.source));
            return opened;
        }
        for (const sim::ExecutionMode mode : modesOf(setup.modes)) {
            sim::SimOptions options = document.problem->options;
            options.mode = mode;
            const auto problem = sim::makeProblem(
                document.problem->graph, document.problem->cluster, document.costs, options);
            opened.columns.push_back({graph.source, document.clusterSource, document.costs,
                                      std::make_shared<const place::ExperimentProblem>(
                                          place::prepareProblem(problem->graph->name(), problem))});
        }
    } catch (const std::exception& error) {
        opened.columns.clear();
        opened.error = QString::fromUtf8(error.what());
    }
    return opened;
}

std::vector<ExperimentGraph> ExperimentSession::missingGraphs(bool retry) const {
    std::vector<ExperimentGraph> missing;
    for (const ExperimentGraph& graph : setup_.graphs) {
        const auto opened = opened_.find(keyOf(graph, setup_));
        if (graph.chosen &&
            (opened == opened_.end() || opened->second.stamp != stampOf(graph, setup_) ||
             (retry && opened->second.columns.empty()))) {
            missing.push_back(graph);
        }
    }
    return missing;
}

void ExperimentSession::openMissing(bool retry) {
    if (opening_ || state_ != State::Idle) {
        return; // asks again when it has ended
    }
    const std::vector<ExperimentGraph> missing = missingGraphs(retry);
    if (missing.empty() && store_) {
        return;
    }
    struct Result {
        std::map<QString, Opened> opened;
        std::shared_ptr<place::RunStore> store;
        QString error;
    };
    opening_ = jobs_.start<Result>(
        {tr("Opening graphs"), false, true, this},
        [missing, setup = setup_, needStore = !store_,
         file = QDir(folder_.path()).filePath(QStringLiteral("runs.jsonl"))](JobContext& context) {
            Result result;
            if (needStore) {
                try {
                    QDir().mkpath(QFileInfo(file).path());
                    result.store = std::make_shared<place::RunStore>(
                        file.toStdString(), place::RunStore::Damaged::SetAside);
                    const std::vector<std::string>& damaged = result.store->damagedLines();
                    if (!damaged.empty()) {
                        result.error = tr("%1 damaged kept run(s) are not used; the first: %2")
                                           .arg(damaged.size())
                                           .arg(QString::fromStdString(damaged.front()));
                    }
                } catch (const std::exception& error) {
                    result.store = std::make_shared<place::RunStore>(); // this time in memory
                    result.error = tr("Runs are not kept: %1").arg(QString::fromUtf8(error.what()));
                }
            }
            for (const ExperimentGraph& graph : missing) {
                if (!context.stopToken().stop_requested()) {
                    result.opened[keyOf(graph, setup)] = openGraph(graph, setup);
                }
            }
            return result;
        },
        [this](const Result& result) {
            if (result.store) {
                store_ = result.store;
            }
            if (!result.error.isEmpty()) {
                Q_EMIT failed(result.error);
            }
            for (const auto& [key, opened] : result.opened) {
                opened_[key] = opened;
            }
        });
    connect(opening_, &Job::finished, this, [this] {
        opening_ = nullptr;
        rebuild();
        Q_EMIT setupChanged(); // facts of the graphs are known now
        openMissing();
        if (!isOpening() && std::exchange(startOnceOpened_, false)) {
            run();
        }
    });
}

void ExperimentSession::rebuild() {
    columns_.clear();
    for (const ExperimentGraph& graph : setup_.graphs) {
        const auto opened = opened_.find(keyOf(graph, setup_));
        if (graph.chosen && opened != opened_.end()) {
            columns_.insert(columns_.end(), opened->second.columns.begin(),
                            opened->second.columns.end());
        }
    }
    nameColumns(columns_);
    experiment_.problems.clear();
    for (const ExperimentColumn& column : columns_) {
        experiment_.problems.push_back(*column.prepared);
    }
    experiment_.methods.clear();
    for (const QString& method : setup_.methods) {
        experiment_.methods.push_back(method.toStdString());
    }
    experiment_.seeds = setup_.seeds;
    experiment_.budgetSeconds = setup_.budgetSeconds;
    experiment_.objective = setup_.objective;
    activity_.clear();
    summarise();
    Q_EMIT tableChanged();
    Q_EMIT resultsChanged();
}

void ExperimentSession::summarise() {
    static const place::RunStore kNothing;
    comparison_ = place::summarise(experiment_, store_ ? *store_ : kNothing);
}

CellActivity ExperimentSession::activity(std::size_t problem, std::size_t method) const {
    const auto found = activity_.find({problem, method});
    return found == activity_.end() ? CellActivity{} : found->second;
}

QString ExperimentSession::graphFacts(const ExperimentGraph& graph) const {
    const auto found = opened_.find(keyOf(graph, setup_));
    if (found == opened_.end()) {
        return {};
    }
    return found->second.columns.empty()
               ? found->second.error
               : countOf(found->second.columns.front().prepared->problem->opCount(),
                         QStringLiteral("op"));
}

bool ExperimentSession::graphFailed(const ExperimentGraph& graph) const {
    const auto found = opened_.find(keyOf(graph, setup_));
    return found != opened_.end() && found->second.columns.empty();
}

int ExperimentSession::runsMade() const {
    std::size_t made = 0;
    for (const place::CellSummary& cell : comparison_.cells) {
        made += cell.runs.size();
    }
    return static_cast<int>(made);
}

double ExperimentSession::secondsLeft() const {
    double seconds = 0;
    for (const place::CellSummary& cell : comparison_.cells) {
        if (place::placerInfo(experiment_.methods[cell.method]).search) {
            const auto missing =
                static_cast<double>(cell.expectedRuns) - static_cast<double>(cell.runs.size());
            const CellActivity now = activity(cell.problem, cell.method);
            const double passed = now.running ? std::max(now.fraction, 0.0) : 0.0;
            seconds += std::max(missing - passed, 0.0) * experiment_.budgetSeconds;
        }
    }
    return seconds;
}

void ExperimentSession::start() {
    if (state_ != State::Idle || isOpening() || !store_) {
        return;
    }
    if (missingGraphs(true).empty()) {
        run();
        return;
    }
    startOnceOpened_ = true;
    openMissing(true);
    Q_EMIT stateChanged(); // isOpening()
}

void ExperimentSession::run() {
    finish_ = std::stop_source();
    activity_.clear();
    news_ = std::make_shared<News>();
    running_ = jobs_.start<bool>(
        {tr("Experiment"), true, true, this},
        [experiment = experiment_, store = store_, news = news_,
         finish = finish_.get_token()](JobContext& context) {
            place::RunnerOptions options;
            options.stop = context.stopToken();
            options.finish = finish;
            options.update = [&news](const place::RunUpdate& update) { news->take(update); };
            return place::runExperiment(experiment, *store, options);
        },
        [this](bool) { runEnded({}); }, [this](const QString& message) { runEnded(message); });
    newsTimer_.start();
    setState(State::Running);
}

void ExperimentSession::pause() {
    if (state_ == State::Running) {
        finish_.request_stop();
        setState(State::Pausing);
    }
}

void ExperimentSession::stop() {
    if (state_ == State::Running || state_ == State::Pausing) {
        if (running_) {
            running_->cancel();
        }
        setState(State::Stopping);
    }
}

void ExperimentSession::takeNews() {
    bool results = false;
    {
        const std::lock_guard lock(news_->mutex);
        if (!news_->fresh) {
            return;
        }
        news_->fresh = false;
        results = std::exchange(news_->results, false);
        activity_ = news_->activity;
    }
    if (results) {
        summarise();
        Q_EMIT resultsChanged();
    }
    Q_EMIT activityChanged();
}

void ExperimentSession::runEnded(const QString& error) {
    newsTimer_.stop();
    takeNews();
    for (auto& [cell, activity] : activity_) {
        activity.running = false;
    }
    setState(State::Idle);
    Q_EMIT activityChanged();
    if (!error.isEmpty()) {
        Q_EMIT failed(error);
    }
}

void ExperimentSession::setState(State state) {
    state_ = state;
    Q_EMIT stateChanged();
}

} // namespace doppler::views
