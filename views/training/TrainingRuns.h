#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "views/training/TrainingRun.h"

namespace doppler::views {

class Job;
class Workspace;

/// What canvas and timelines show while a policy learns.
enum class Follow { Best, Latest, Nothing };

/// The trainings of the open graph: starts them in the background, keeps what they did, and lets a
/// row of the placements follow the one at work. A run stops when its problem goes; what it had
/// learnt stays in its folder.
class TrainingRuns : public QObject {
    Q_OBJECT

public:
    explicit TrainingRuns(Workspace& workspace, QObject* parent = nullptr);
    ~TrainingRuns() override;

    /// Newest last. At most one is active.
    const std::vector<std::unique_ptr<TrainingRun>>& runs() const { return runs_; }
    /// The run at work, or null.
    TrainingRun* active() const;
    /// Trains on the open problem. Throws InputError for settings that cannot be; does nothing
    /// while another run is active.
    TrainingRun* start(const TrainingSettings& settings);
    void setPaused(bool paused);
    void stop();
    /// Forgets a run that has ended.
    void remove(TrainingRun* run);

    Follow follow() const { return follow_; }
    void setFollow(Follow follow);
    /// Shows a best of the past (an index of run.bests()) in the run's row.
    void showBest(TrainingRun& run, std::size_t index);

    /// Where runs are kept unless another folder is chosen.
    static QString defaultFolder();

Q_SIGNALS:
    void runsChanged(); ///< one more, one less, or another is active
    void runChanged(doppler::views::TrainingRun* run);
    void followChanged();
    /// Canvas and timelines now show a placement in which these ops moved.
    void followed(Time makespan, const std::set<OpId>& moved);

private:
    /// Its rows of the placements, or -1.
    struct Rows {
        int best = -1;
        int latest = -1;
    };

    void tick();
    void problemChanged();
    void currentChanged();
    void follow(TrainingRun& run);
    void showInRow(int& row, TrainingRun& run, const sim::Assignment& assignment,
                   const QString& method, bool show);
    void ended(TrainingRun* run);
    QString uniqueName(const TrainingSettings& settings) const;

    Workspace& workspace_;
    std::vector<std::unique_ptr<TrainingRun>> runs_;
    TrainingRun* active_ = nullptr;
    Job* job_ = nullptr;
    std::map<const TrainingRun*, Rows> rows_;
    std::size_t followedBests_ = 0;
    std::shared_ptr<const sim::Assignment> followedLatest_;
    Follow follow_ = Follow::Best;
    bool changingRows_ = false;
    QTimer timer_;
};

} // namespace doppler::views
