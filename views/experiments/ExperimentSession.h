#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <mutex>

#include "core/place/Comparison.h"
#include "core/place/ExperimentRunner.h"
#include "views/experiments/ExperimentSetup.h"
#include "views/experiments/SetupWriter.h"
#include "views/jobs/JobRunner.h"

namespace doppler::views {

/// A graph that was opened for an experiment: one column of its table.
struct ExperimentColumn {
    QString source;
    QString clusterSource;
    cost::CostModel costs = cost::CostModel::Published;
    std::shared_ptr<const place::ExperimentProblem> prepared;
};

/// What happens in one cell now.
struct CellActivity {
    bool running = false;
    double fraction = -1; ///< of the run's budget; negative if unknown
    std::uint64_t seed = 1;
    Time best = 0;
    QString error; ///< of the last run, if it failed
};

/// One experiment: its setup, its opened graphs, the runs made so far and those being made. Opens
/// and runs in the background; all methods are for the GUI thread. Runs are kept in a file as they
/// end, shared by all experiments of a folder, so that nothing is ever run twice.
class ExperimentSession : public QObject {
    Q_OBJECT

public:
    enum class State {
        Idle,
        Running,
        Pausing, ///< the run in progress ends, no other starts
        Stopping ///< the run in progress is given up
    };

    /// `folder` holds setups and runs; it is made where it is missing.
    explicit ExperimentSession(const QString& folder, QObject* parent = nullptr);
    ~ExperimentSession() override;

    const SetupFolder& folder() const { return folder_; }
    const ExperimentSetup& setup() const { return setup_; }
    /// Saves it soon, opens what it needs, and shows the runs that are there. Not while running.
    void setSetup(const ExperimentSetup& setup);
    /// The saved setup of that name; tells by failed() if it cannot be read.
    void load(const QString& name);
    /// Removes the file of the setup; another must be set after that.
    void removeFile();
    /// Opens the setup that was used last, the first time it is called.
    void begin();

    /// Runs what is missing. Opens before that what failed or changed since it was opened.
    void start();
    void pause();
    void stop();
    State state() const { return state_; }
    bool isOpening() const { return !opening_.isNull() || openTimer_.isActive(); }

    /// The graphs that could be opened; columns()[i] is experiment().problems[i].
    const std::vector<ExperimentColumn>& columns() const { return columns_; }
    const place::Experiment& experiment() const { return experiment_; }
    const place::Comparison& comparison() const { return comparison_; }
    CellActivity activity(std::size_t problem, std::size_t method) const;
    /// "76 ops", or what is wrong with a graph; empty while it is not known.
    QString graphFacts(const ExperimentGraph& graph) const;
    bool graphFailed(const ExperimentGraph& graph) const;

    int runsMade() const;
    int runsWanted() const { return experiment_.totalRuns(); }
    /// Seconds that the missing searches will take by their budgets.
    double secondsLeft() const;

Q_SIGNALS:
    void setupChanged();
    void tableChanged();    ///< other graphs or methods
    void resultsChanged();  ///< other figures
    void activityChanged(); ///< at most 10 times a second
    void stateChanged();
    void failed(const QString& message);

private:
    struct Opened {
        std::vector<ExperimentColumn> columns; ///< the execution modes of one graph
        QString error;
        QString stamp; ///< stampOf() when it was opened
    };
    struct News;

    static QString keyOf(const ExperimentGraph& graph, const ExperimentSetup& setup);
    /// Sizes and times of the graph's and the cluster's file: others once these have changed.
    static QString stampOf(const ExperimentGraph& graph, const ExperimentSetup& setup);
    /// On any thread.
    static Opened openGraph(const ExperimentGraph& graph, const ExperimentSetup& setup);
    /// The chosen graphs that are not opened as they are now; with `retry` those that failed too.
    std::vector<ExperimentGraph> missingGraphs(bool retry) const;
    void forgetFailuresOfNew(const ExperimentSetup& next);
    void openMissing(bool retry = false);
    void run();
    void save();
    void saveInBackground();
    void rebuild();
    void summarise();
    void takeNews();
    void runEnded(const QString& error);
    void setState(State state);

    SetupFolder folder_;
    ExperimentSetup setup_;
    bool begun_ = false;
    State state_ = State::Idle;
    std::shared_ptr<place::RunStore> store_;
    std::map<QString, Opened> opened_; ///< by keyOf()
    std::vector<ExperimentColumn> columns_;
    place::Experiment experiment_;
    place::Comparison comparison_;
    std::shared_ptr<News> news_;
    std::map<std::pair<std::size_t, std::size_t>, CellActivity> activity_;
    std::stop_source finish_;
    std::shared_ptr<SetupWriter> writer_;
    QPointer<Job> opening_;
    QPointer<Job> running_;
    bool startOnceOpened_ = false;
    QTimer saveTimer_;
    QTimer openTimer_;
    QTimer newsTimer_;
    JobRunner jobs_; // last: waits for its threads before the rest goes
};

} // namespace doppler::views
