#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <mutex>
#include <vector>

#include "core/engine/RunSetup.h"
#include "views/running/RealResult.h"

namespace doppler::views {

class Job;
class JobContext;
class LiveRun;
class Workspace;

/// How to run a placement.
struct RunChoice {
    QString runtime = QStringLiteral("cpu");
    int runs = 5;
    int warmUps = 1;
    bool check = false;
    std::uint64_t seed = 1;

    bool operator==(const RunChoice&) const = default;
};

/// Runs placements of the workspace in the background, one after the other; what they show becomes
/// part of their row.
class RealRuns : public QObject {
    Q_OBJECT

public:
    explicit RealRuns(Workspace& workspace, QObject* parent = nullptr);

    /// Runs the shown placement; does nothing while another run is at work.
    void run(const RunChoice& choice);
    bool isRunning() const { return job_ != nullptr; }
    void stop();

    /// Why the open problem cannot be run there, in words; empty: it can.
    QString obstacle(const QString& runtime) const;

    /// What was chosen last, also by an earlier run of the program.
    static RunChoice storedChoice();
    static void storeChoice(const RunChoice& choice);

Q_SIGNALS:
    void runningChanged();
    /// A placement has been run.
    void done(int placement);
    void failed(const QString& message);

private:
    void showLive();

    Workspace& workspace_;
    Job* job_ = nullptr;
    int placement_ = -1; ///< that is being run
    std::shared_ptr<LiveRun> live_;
    QTimer timer_;
};

/// What the run at work has done so far: filled by its event loop, looked at ten times a second.
class LiveRun {
public:
    void begin(const QString& what, std::shared_ptr<const sim::Problem> problem, bool emulated);
    void add(const sim::Interval& interval);
    /// Null: nothing yet, or nothing since the last call.
    std::shared_ptr<const RealResult> take();

private:
    std::mutex mutex_;
    RealResult result_; ///< but for its timeline
    std::vector<sim::Interval> fresh_;
    int run_ = 0;
    // Of the thread that takes.
    std::vector<sim::Interval> taken_;
    int takenRun_ = 0;
};

/// The open problem as it is to be run.
engine::RunSetupRequest setupRequest(const Workspace& workspace, const QString& runtime,
                                     std::uint64_t seed = 1);

/// The work of a run, for any thread. Throws InputError or std::runtime_error with the reason where
/// it cannot be done.
std::shared_ptr<const RealResult> runForReal(const engine::RunSetupRequest& request,
                                             const sim::Assignment& assignment,
                                             const RunChoice& choice, LiveRun& live,
                                             JobContext& context);

} // namespace doppler::views
