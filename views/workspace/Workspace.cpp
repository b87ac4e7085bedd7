#include "views/workspace/Workspace.h"

#include <algorithm>

#include "core/cost/ProfiledCosts.h"
#include "core/graph/InputError.h"
#include "core/sim/ProfiledProblem.h"
#include "views/format/Format.h"
#include "views/workspace/EditCommands.h"
#include "views/workspace/ViewStateText.h"

namespace doppler::views {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// For a row that came after the change of cluster that is now done or undone again.
void wrapDevices(Placement& placement, int deviceCount) {
    sim::Assignment wrapped = *placement.assignment;
    for (DeviceId& device : wrapped) {
        device %= deviceCount;
    }
    if (wrapped != *placement.assignment) {
        placement.assignment = std::make_shared<const sim::Assignment>(std::move(wrapped));
        placement.found = placement.assignment;
    }
}

/// Says which ops a change of cluster moves to other devices than those they were put on.
class NotKept {
public:
    /// `renamed` and `lost`: by device of the cluster before.
    NotKept(const cluster::Cluster& before, const cluster::Cluster& after,
            const std::vector<DeviceId>& renamed, const std::vector<bool>& lost)
        : before_(before), after_(after), renamed_(renamed), lost_(lost) {}

    QStringList movedOps(const sim::Assignment& assignment) const {
        std::vector<int> counts(lost_.size(), 0);
        for (const DeviceId device : assignment) {
            ++counts[at(device)];
        }
        QStringList notes;
        for (DeviceId device = 0; device < before_.deviceCount(); ++device) {
            if (lost_[at(device)] && counts[at(device)] > 0) {
                notes.append(
                    QStringLiteral("%1 is gone: %2 moved to %3")
                        .arg(QString::fromStdString(before_.device(device).name),
                             countOf(counts[at(device)], QStringLiteral("op")),
                             QString::fromStdString(after_.device(renamed_[at(device)]).name)));
            }
        }
        return notes;
    }

    QStringList movedPins(const std::vector<DeviceId>& pins) const {
        const auto moved = std::count_if(pins.begin(), pins.end(), [this](DeviceId pin) {
            return pin != kNoDevice && lost_[at(pin)];
        });
        return moved == 0 ? QStringList()
                          : QStringList(QStringLiteral("%1 to devices that are gone: moved as well")
                                            .arg(countOf(moved, QStringLiteral("pin"))));
    }

private:
    const cluster::Cluster& before_;
    const cluster::Cluster& after_;
    const std::vector<DeviceId>& renamed_;
    const std::vector<bool>& lost_;
};

} // namespace

Workspace::Workspace(QObject* parent) : QObject(parent) {
    connect(&undoStack_, &QUndoStack::cleanChanged, this, &Workspace::modifiedChanged);
}

Workspace::~Workspace() {
    undoStack_.disconnect(this);
}

void Workspace::resetProblem(std::shared_ptr<const sim::Problem> problem) {
    preview_.reset();
    jobs_.cancelAll();
    simulationJobs_.clear();
    undoStack_.clear();
    selection_.clear();
    selection_.setHovered(kNoOp);
    viewState_.setPlayHead(-1);
    viewState_.setGroups(std::nullopt);
    placements_.clear();
    currentId_ = -1;
    hasLastDifference_ = false;
    bound_ = {};
    sessionPath_.clear();
    problem_ = std::move(problem);
    simulator_.reset();
}

bool Workspace::isOpen(const sim::Problem& problem) const {
    return problem_ != nullptr && problem.graph == problem_->graph &&
           problem.cluster == problem_->cluster && problem.costs == problem_->costs &&
           problem.options == problem_->options;
}

void Workspace::open(std::shared_ptr<const sim::Problem> problem, QString graphSource,
                     QString clusterSource, cost::CostModel costs,
                     std::shared_ptr<const cluster::Profile> profile) {
    openWith(std::move(problem), std::move(graphSource), std::move(clusterSource), costs,
             std::move(profile), std::nullopt);
}

void Workspace::openWith(std::shared_ptr<const sim::Problem> problem, QString graphSource,
                         QString clusterSource, cost::CostModel costs,
                         std::shared_ptr<const cluster::Profile> profile,
                         std::optional<graph::FoldState> groups) {
    resetProblem(std::move(problem));
    graphSource_ = std::move(graphSource);
    clusterSource_ = std::move(clusterSource);
    costModel_ = costs;
    profile_ = std::move(profile);
    viewState_.setGroups(std::move(groups));
    Q_EMIT graphChanged();
    Q_EMIT problemChanged();
    Q_EMIT placementsChanged();
    Q_EMIT currentChanged();
    Q_EMIT assignmentChanged();
    Q_EMIT timelineChanged();
    Q_EMIT modifiedChanged();
    computeBound();
}

void Workspace::openSession(const io::Session& session) {
    auto problem = std::make_shared<sim::Problem>(
        session.costs == cost::CostModel::Profiled && session.profile
            ? *sim::makeProfiledProblem(session.graph, session.cluster, *session.profile,
                                        session.options)
            : *sim::makeProblem(session.graph, session.cluster, session.costs, session.options));
    if (!session.pins.empty()) {
        problem->pins = session.pins;
    }
    for (const io::SessionPlacement& saved : session.placements) {
        sim::checkAssignment(*problem, saved.assignment);
    }
    std::optional<graph::FoldState> groups;
    if (session.collapsed) {
        groups = graph::foldOf(*session.graph, *session.collapsed);
    }
    openWith(problem, QString::fromStdString(session.graphSource),
             QString::fromStdString(session.clusterSource), session.costs, session.profile,
             std::move(groups));
    applyViewStateText(viewState_, session.view);
    for (const io::SessionPlacement& saved : session.placements) {
        Placement placement;
        placement.id = ++lastId_;
        placement.method = QString::fromStdString(saved.method);
        placement.origin = QString::fromStdString(saved.label);
        placement.seed = saved.seed;
        placement.seconds = saved.seconds;
        placement.objective = {QString::fromStdString(saved.objective), saved.noise, saved.value};
        placement.edited = saved.edits > 0;
        placement.savedEdits = saved.edits;
        placement.assignment = std::make_shared<const sim::Assignment>(saved.assignment);
        placement.found = placement.assignment;
        placements_.push_back(std::move(placement));
        simulate(lastId_);
    }
    if (session.current >= 0 && session.current < static_cast<int>(placements_.size())) {
        currentId_ = placements_[at(session.current)].id;
    }
    Q_EMIT placementsChanged();
    Q_EMIT currentChanged();
    Q_EMIT assignmentChanged();
    Q_EMIT timelineChanged();
}

io::Session Workspace::toSession() const {
    io::Session session;
    session.graph = problem_->graph;
    session.cluster = problem_->cluster;
    session.graphSource = graphSource_.toStdString();
    session.clusterSource = clusterSource_.toStdString();
    session.costs = costModel_;
    session.profile = profile_;
    session.options = problem_->options;
    session.pins = problem_->pins;
    for (const Placement& placement : placements_) {
        session.placements.push_back(
            {placement.origin.toStdString(), placement.method.toStdString(), placement.seed,
             placement.seconds, placement.edited ? placement.edits() : 0,
             placement.objective.name.toStdString(), placement.objective.noise,
             placement.objective.value, *placement.assignment});
    }
    session.current = rowOf(currentId_);
    if (viewState_.groups()) {
        session.collapsed = graph::collapsedPaths(*viewState_.groups());
    }
    session.view = viewStateText(viewState_);
    return session;
}

void Workspace::close() {
    open(nullptr, {}, {}, cost::CostModel::Physical);
}

void Workspace::changeProblem(std::shared_ptr<const cluster::Cluster> cluster,
                              QString clusterSource, cost::CostModel costs,
                              const sim::SimOptions& options,
                              std::shared_ptr<const cluster::Profile> profile) {
    if (!profile && cluster == problem_->cluster) {
        profile = profile_;
    }
    const bool unmeasured = costs == cost::CostModel::Profiled && !profile;
    if (unmeasured) {
        costs = cost::CostModel::Physical;
    }
    auto changed = std::make_shared<sim::Problem>();
    changed->graph = problem_->graph;
    changed->cluster = std::move(cluster);
    changed->costs = costs == cost::CostModel::Profiled
                         ? cost::profiledCosts(*changed->graph, *changed->cluster, *profile)
                         : cost::makeCosts(costs, *changed->graph, *changed->cluster);
    changed->options = options;

    // Ops follow their device by name; where that device is gone, its number wraps.
    const cluster::Cluster& before = *problem_->cluster;
    const cluster::Cluster& after = *changed->cluster;
    std::vector<DeviceId> renamed;
    std::vector<bool> lost;
    for (DeviceId device = 0; device < before.deviceCount(); ++device) {
        const DeviceId same = after.deviceByName(before.device(device).name);
        renamed.push_back(same != kNoDevice ? same : device % after.deviceCount());
        // Lost: its number, too, now stands for another device of the old cluster, or for none.
        lost.push_back(same == kNoDevice &&
                       (device >= after.deviceCount() ||
                        before.deviceByName(after.device(device).name) != kNoDevice));
    }
    const NotKept notKeptOf(before, after, renamed, lost);
    QStringList notes;
    if (unmeasured) {
        notes.append(QStringLiteral("nothing was measured on this cluster: costs are physical "
                                    "now"));
    }
    ProblemState stateBefore{problem_, clusterSource_, costModel_, profile_, {}, {}};
    ProblemState stateAfter{nullptr, std::move(clusterSource), costs, std::move(profile), {}, {}};
    for (const Placement& placement : placements_) {
        auto assignment = std::make_shared<sim::Assignment>(*placement.assignment);
        if (placement.id == currentId_) {
            notes += notKeptOf.movedOps(*assignment);
        }
        for (DeviceId& device : *assignment) {
            device = renamed[at(device)];
        }
        auto found = std::make_shared<sim::Assignment>(*placement.found);
        for (DeviceId& device : *found) {
            device = renamed[at(device)];
        }
        stateBefore.assignments[placement.id] = placement.assignment;
        stateAfter.assignments[placement.id] = assignment;
        stateBefore.found[placement.id] = placement.found;
        stateAfter.found[placement.id] = found;
    }
    changed->pins = problem_->pins;
    notes += notKeptOf.movedPins(changed->pins);
    for (DeviceId& pin : changed->pins) {
        pin = pin == kNoDevice ? kNoDevice : renamed[at(pin)];
    }
    stateAfter.problem = changed;
    undoStack_.push(new ChangeProblemCommand(*this, std::move(stateBefore), std::move(stateAfter),
                                             QStringLiteral("change of cluster, costs or "
                                                            "simulation")));
    if (!notes.isEmpty()) {
        Q_EMIT notKept(notes);
    }
}

void Workspace::applyProblem(const ProblemState& state) {
    preview_.reset();
    const bool devicesChanged = state.problem->deviceCount() != problem_->deviceCount();
    problem_ = state.problem;
    clusterSource_ = state.clusterSource;
    costModel_ = state.costs;
    profile_ = state.profile;
    simulator_.reset();
    hasLastDifference_ = false;
    if (devicesChanged && selection_.device() != kNoDevice) {
        selection_.clear();
    }
    viewState_.setPlayHead(-1);
    for (Placement& placement : placements_) {
        const auto assignment = state.assignments.find(placement.id);
        if (assignment != state.assignments.end()) {
            placement.assignment = assignment->second;
            placement.found = state.found.at(placement.id);
        } else {
            wrapDevices(placement, problem_->deviceCount());
        }
        placement.stale = true;
        // A timeline names devices and edges of its own problem, so it cannot outlive it.
        placement.timeline = nullptr;
        placement.real = nullptr;
        placement.live = nullptr;
        placement.report = nullptr;
    }
    for (const Placement& placement : placements_) {
        simulate(placement.id);
    }
    bound_ = {};
    Q_EMIT problemChanged();
    Q_EMIT placementsChanged();
    Q_EMIT assignmentChanged();
    Q_EMIT timelineChanged();
    computeBound();
}

void Workspace::computeBound() {
    Q_EMIT boundChanged();
    if (!problem_) {
        return;
    }
    // Without pins, so that it holds for every row, also for those found before an op was pinned.
    auto unpinned = std::make_shared<sim::Problem>(*problem_);
    unpinned->pins.clear();
    const std::shared_ptr<const sim::Problem> problem = std::move(unpinned);
    jobs_.start<sim::Bound>(
        {QStringLiteral("Lower bound"), false, true},
        [problem](JobContext&) { return sim::lowerBound(*problem); },
        [this, problem](sim::Bound bound) {
            if (problem->costs == (problem_ ? problem_->costs : nullptr)) {
                bound_ = std::move(bound);
                Q_EMIT boundChanged();
                Q_EMIT placementsChanged();
            }
        });
}

void Workspace::setSessionPath(const QString& path) {
    sessionPath_ = path;
    undoStack_.setClean();
    Q_EMIT modifiedChanged();
}

} // namespace doppler::views
