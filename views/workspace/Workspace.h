#pragma once

/// views/workspace: the open problem and everything known about it. Views listen to one Workspace
/// and never to each other.

#include <QObject>
#include <QStringList>
#include <QUndoStack>
#include <map>
#include <memory>
#include <vector>

#include "core/cluster/Profile.h"
#include "core/io/Session.h"
#include "core/sim/Bounds.h"
#include "core/sim/Problem.h"
#include "core/sim/Simulator.h"
#include "views/jobs/JobRunner.h"
#include "views/workspace/Placement.h"
#include "views/workspace/Selection.h"
#include "views/workspace/ViewState.h"

namespace doppler::views {

/// The open problem, its placements, their timelines, selection, undo history and background jobs.
///
/// All methods are for the GUI thread. Changes come in two kinds: user actions (assign, pin, add,
/// remove, ...) go through the undo stack; apply... methods are what the commands call.
class Workspace : public QObject {
    Q_OBJECT

public:
    explicit Workspace(QObject* parent = nullptr);
    ~Workspace() override;

    Selection& selection() { return selection_; }
    ViewState& viewState() { return viewState_; }
    JobRunner& jobs() { return jobs_; }
    QUndoStack& undoStack() { return undoStack_; }

    // --- the problem ---------------------------------------------------------------------------
    bool hasProblem() const { return problem_ != nullptr; }
    /// Whether that is the open problem, whatever is pinned now.
    bool isOpen(const sim::Problem& problem) const;
    /// Null when nothing is open.
    std::shared_ptr<const sim::Problem> problem() const { return problem_; }
    QString graphSource() const { return graphSource_; }
    QString clusterSource() const { return clusterSource_; }
    /// The largest lower bound; value 0 until it is computed (then boundChanged).
    const sim::Bound& bound() const { return bound_; }
    cost::CostModel costModel() const { return costModel_; }
    /// What was measured on the open cluster; null: nothing.
    std::shared_ptr<const cluster::Profile> profile() const { return profile_; }

    /// Opens a new problem: forgets placements, selection and history.
    void open(std::shared_ptr<const sim::Problem> problem, QString graphSource,
              QString clusterSource, cost::CostModel costs,
              std::shared_ptr<const cluster::Profile> profile = nullptr);
    void openSession(const io::Session& session);
    io::Session toSession() const;
    void close();
    /// Same graph on another cluster, cost model or options: keeps placements (devices that no
    /// longer exist wrap to those that do; notKept() says which), re-simulates. Undoable.
    /// `profile`: what was measured on the cluster; where the cluster stays, null means the one
    /// there is. Profiled costs on a cluster without become physical, and notKept() says so. Throws
    /// InputError if the combination is impossible (published costs on a graph without).
    void changeProblem(std::shared_ptr<const cluster::Cluster> cluster, QString clusterSource,
                       cost::CostModel costs, const sim::SimOptions& options,
                       std::shared_ptr<const cluster::Profile> profile = nullptr);

    // --- placements ----------------------------------------------------------------------------
    const std::vector<Placement>& placements() const { return placements_; }
    const Placement* placement(int id) const;
    /// What the views show: the current placement, or its preview while there is one; or null.
    const Placement* current() const { return preview_ ? preview_.get() : placement(currentId_); }
    /// The current placement, whatever is previewed.
    const Placement* committed() const { return placement(currentId_); }
    int currentId() const { return currentId_; }
    void setCurrent(int id);
    /// Returns the id of the new row, which becomes current if `show`. Undoable, unless the row
    /// came unasked: then it is no change to save either.
    int addPlacement(const sim::Assignment& assignment, const QString& method, std::uint64_t seed,
                     double seconds, bool show = true, bool undoable = true,
                     const FoundObjective& objective = {});
    /// What a method at work has found now, in the row of what it had found before. No change of
    /// the user's: nothing to undo or to save. Ignored for a row that was edited or is gone.
    void replaceFound(int id, const sim::Assignment& assignment, double seconds);
    /// What running it showed. Nothing to undo; gone as soon as its ops move.
    void setReal(int id, std::shared_ptr<const RealResult> result);
    /// What the run at work has done so far; null: none is at work.
    void setLive(int id, std::shared_ptr<const RealResult> result);
    void removePlacement(int id);                      ///< undoable
    void renamePlacement(int id, const QString& name); ///< undoable

    // --- editing the current placement ---------------------------------------------------------
    /// Moves ops to a device. The first edit of a found placement makes an edited copy, which
    /// becomes current. Pinned ops stay (notice() says so). Undoable; `dragKey` >= 0 folds calls
    /// with the same key into one step.
    void assign(const std::set<OpId>& ops, DeviceId device, int dragKey = -1);
    /// The same for several devices at once, as one undo step named `text`.
    void assign(const std::map<OpId, DeviceId>& changes, const QString& text, int dragKey = -1);
    /// Shows the current placement as if those ops ran elsewhere, without changing it (empty map:
    /// ends the preview). Small graphs only; ends by itself with any change.
    void setPreview(const std::map<OpId, DeviceId>& changes);
    bool isPreviewing() const { return preview_ != nullptr; }
    /// A new key for a drag.
    int newDragKey() { return ++lastDragKey_; }
    bool isPinned(OpId op) const;
    /// Pins ops to their current device, or releases them. Undoable.
    void setPinned(const std::set<OpId>& ops, bool pinned);
    /// Makespan of the current placement less that before the last edit; 0 without one.
    Time lastDifference() const { return lastDifference_; }
    bool hasLastDifference() const { return hasLastDifference_; }

    // --- saving --------------------------------------------------------------------------------
    bool isModified() const { return !undoStack_.isClean(); }
    QString sessionPath() const { return sessionPath_; }
    void setSessionPath(const QString& path);

    // --- what undo commands do -----------------------------------------------------------------
    struct ProblemState {
        std::shared_ptr<const sim::Problem> problem;
        QString clusterSource;
        cost::CostModel costs = cost::CostModel::Physical;
        std::shared_ptr<const cluster::Profile> profile;
        std::map<int, std::shared_ptr<const sim::Assignment>> assignments; ///< by placement id
        std::map<int, std::shared_ptr<const sim::Assignment>> found;       ///< before any edit
    };
    void applyAssignment(int id, std::shared_ptr<const sim::Assignment> assignment);
    void applyInsert(const Placement& placement, int row, int currentId);
    void applyRemove(int id, int currentId);
    void applyRename(int id, const QString& name);
    void applyPins(std::vector<DeviceId> pins);
    void applyProblem(const ProblemState& state);
    int rowOf(int id) const;

Q_SIGNALS:
    void problemChanged();    ///< another graph, cluster or costs (or nothing) is open
    void graphChanged();      ///< the graph is another one (before problemChanged)
    void placementsChanged(); ///< rows added, removed, renamed, or their figures changed
    void currentChanged();    ///< another placement is shown
    void assignmentChanged(); ///< ops of the shown placement moved (or another one is shown)
    void timelineChanged();   ///< the shown timeline is new (or there is none now)
    void boundChanged();
    void pinsChanged();
    void modifiedChanged();
    void notice(const QString& text); ///< something worth a line, e.g. "2 pinned ops stayed"
    /// What a change of the problem could not keep, a line each: to be read, not only to be seen.
    void notKept(const QStringList& notes);

private:
    Placement* mutablePlacement(int id);
    void resetProblem(std::shared_ptr<const sim::Problem> problem);
    void openWith(std::shared_ptr<const sim::Problem> problem, QString graphSource,
                  QString clusterSource, cost::CostModel costs,
                  std::shared_ptr<const cluster::Profile> profile,
                  std::optional<graph::FoldState> groups);
    bool simulatesAtOnce() const;
    void simulate(int id);
    void simulateNow(Placement& placement);
    void simulateInBackground(int id);
    void announceFigures(int id);
    void computeBound();
    QString uniqueOrigin(const QString& method) const;

    Selection selection_;
    ViewState viewState_;
    QUndoStack undoStack_;
    std::shared_ptr<const sim::Problem> problem_;
    std::unique_ptr<sim::Simulator> simulator_;
    QString graphSource_;
    QString clusterSource_;
    QString sessionPath_;
    cost::CostModel costModel_ = cost::CostModel::Physical;
    std::shared_ptr<const cluster::Profile> profile_;
    sim::Bound bound_;
    std::vector<Placement> placements_;
    std::unique_ptr<Placement> preview_;
    int currentId_ = -1;
    int lastId_ = 0;
    int lastDragKey_ = 0;
    Time lastDifference_ = 0;
    bool hasLastDifference_ = false;
    std::map<int, Job*> simulationJobs_;
    JobRunner jobs_; // last: waits for its threads before the rest goes
};

} // namespace doppler::views
