#include "views/workspace/Workspace.h"

#include <algorithm>
#include <chrono>

#include "core/graph/InputError.h"
#include "views/workspace/EditCommands.h"
#include "views/workspace/ViewStateText.h"

namespace doppler::views {

namespace {

// Below this many ops and edges a simulation with its report is a few milliseconds, so an edit
// shows its effect in the same event.
constexpr int kSimulateAtOnce = 20'000;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

QString plural(int count, const char* one) {
    return QStringLiteral("%1 %2%3").arg(count).arg(QLatin1String(one), count == 1 ? "" : "s");
}

struct Simulated {
    std::shared_ptr<const sim::Timeline> timeline;
    std::shared_ptr<const sim::Report> report;
    double microseconds = 0;
};

Simulated simulateWith(sim::Simulator& simulator, const sim::Assignment& assignment) {
    Simulated result;
    const auto start = std::chrono::steady_clock::now();
    simulator.makespan(assignment);
    result.microseconds =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    result.timeline = std::make_shared<const sim::Timeline>(simulator.run(assignment));
    result.report = std::make_shared<const sim::Report>(
        sim::makeReport(simulator.problem(), assignment, *result.timeline));
    return result;
}

void store(Placement& placement, Simulated result) {
    placement.timeline = std::move(result.timeline);
    placement.report = std::move(result.report);
    placement.simulationMicroseconds = result.microseconds;
    placement.stale = false;
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

/// The same problem with other pins.
std::shared_ptr<const sim::Problem> withPins(const sim::Problem& problem,
                                             std::vector<DeviceId> pins) {
    auto changed = std::make_shared<sim::Problem>(problem);
    changed->pins = std::move(pins);
    return changed;
}

} // namespace

Workspace::Workspace(QObject* parent) : QObject(parent) {
    connect(&undoStack_, &QUndoStack::cleanChanged, this, &Workspace::modifiedChanged);
}

Workspace::~Workspace() {
    undoStack_.disconnect(this);
}

// --- the problem -------------------------------------------------------------------------------

void Workspace::resetProblem(std::shared_ptr<const sim::Problem> problem) {
    preview_.reset();
    jobs_.cancelAll();
    simulationJobs_.clear();
    undoStack_.clear();
    selection_.clear();
    selection_.setHovered(kNoOp);
    viewState_.setPlayHead(-1);
    placements_.clear();
    currentId_ = -1;
    hasLastDifference_ = false;
    bound_ = {};
    sessionPath_.clear();
    problem_ = std::move(problem);
    simulator_ = problem_ ? std::make_unique<sim::Simulator>(problem_) : nullptr;
}

void Workspace::open(std::shared_ptr<const sim::Problem> problem, QString graphSource,
                     QString clusterSource, cost::CostModel costs) {
    resetProblem(std::move(problem));
    graphSource_ = std::move(graphSource);
    clusterSource_ = std::move(clusterSource);
    costModel_ = costs;
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
        *sim::makeProblem(session.graph, session.cluster, session.costs, session.options));
    if (!session.pins.empty()) {
        problem->pins = session.pins;
    }
    for (const io::SessionPlacement& saved : session.placements) {
        sim::checkAssignment(*problem, saved.assignment);
    }
    open(problem, QString::fromStdString(session.graphSource),
         QString::fromStdString(session.clusterSource), session.costs);
    applyViewStateText(viewState_, session.view);
    for (const io::SessionPlacement& saved : session.placements) {
        Placement placement;
        placement.id = ++lastId_;
        placement.method = QString::fromStdString(saved.method);
        placement.origin = QString::fromStdString(saved.label);
        placement.seed = saved.seed;
        placement.seconds = saved.seconds;
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
    session.options = problem_->options;
    session.pins = problem_->pins;
    for (const Placement& placement : placements_) {
        session.placements.push_back(
            {placement.origin.toStdString(), placement.method.toStdString(), placement.seed,
             placement.seconds, placement.edited ? placement.edits() : 0, *placement.assignment});
    }
    session.current = rowOf(currentId_);
    session.view = viewStateText(viewState_);
    return session;
}

void Workspace::close() {
    open(nullptr, {}, {}, cost::CostModel::Physical);
}

void Workspace::changeProblem(std::shared_ptr<const cluster::Cluster> cluster,
                              QString clusterSource, cost::CostModel costs,
                              const sim::SimOptions& options) {
    auto changed = std::make_shared<sim::Problem>();
    changed->graph = problem_->graph;
    changed->cluster = std::move(cluster);
    changed->costs = cost::makeCosts(costs, *changed->graph, *changed->cluster);
    changed->options = options;

    // Ops follow their device by name; where that device is gone, its number wraps.
    const cluster::Cluster& before = *problem_->cluster;
    const cluster::Cluster& after = *changed->cluster;
    std::vector<DeviceId> renamed;
    for (DeviceId device = 0; device < before.deviceCount(); ++device) {
        const DeviceId same = after.deviceByName(before.device(device).name);
        const bool byNumber = same == kNoDevice && device < after.deviceCount();
        renamed.push_back(same != kNoDevice ? same
                          : byNumber        ? device
                                            : device % after.deviceCount());
    }
    int movedOps = 0;
    ProblemState stateBefore{problem_, clusterSource_, costModel_, {}};
    ProblemState stateAfter{nullptr, std::move(clusterSource), costs, {}};
    for (const Placement& placement : placements_) {
        auto assignment = std::make_shared<sim::Assignment>(*placement.assignment);
        for (DeviceId& device : *assignment) {
            movedOps += placement.id == currentId_ && device >= after.deviceCount() ? 1 : 0;
            device = renamed[at(device)];
        }
        stateBefore.assignments[placement.id] = placement.assignment;
        stateAfter.assignments[placement.id] = assignment;
    }
    changed->pins = problem_->pins;
    for (DeviceId& pin : changed->pins) {
        pin = pin == kNoDevice ? kNoDevice : renamed[at(pin)];
    }
    stateAfter.problem = changed;
    undoStack_.push(new ChangeProblemCommand(*this, std::move(stateBefore), std::move(stateAfter),
                                             QStringLiteral("change of cluster, costs or "
                                                            "simulation")));
    if (movedOps > 0) {
        Q_EMIT notice(QStringLiteral("%1 ran on devices that this cluster lacks; they were moved")
                          .arg(plural(movedOps, "op")));
    }
}

void Workspace::applyProblem(const ProblemState& state) {
    preview_.reset();
    const bool devicesChanged = state.problem->deviceCount() != problem_->deviceCount();
    problem_ = state.problem;
    clusterSource_ = state.clusterSource;
    costModel_ = state.costs;
    simulator_ = std::make_unique<sim::Simulator>(problem_);
    hasLastDifference_ = false;
    if (devicesChanged && selection_.device() != kNoDevice) {
        selection_.clear();
    }
    viewState_.setPlayHead(-1);
    for (Placement& placement : placements_) {
        const auto assignment = state.assignments.find(placement.id);
        if (assignment != state.assignments.end()) {
            placement.savedEdits = placement.edited ? placement.edits() : 0;
            placement.assignment = assignment->second;
            placement.found = placement.assignment;
        } else {
            wrapDevices(placement, problem_->deviceCount());
        }
        placement.stale = true;
        // A timeline names devices and edges of its own problem, so it cannot outlive it.
        placement.timeline = nullptr;
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
    const auto problem = withPins(*problem_, {});
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

// --- placements --------------------------------------------------------------------------------

int Workspace::rowOf(int id) const {
    for (std::size_t row = 0; row < placements_.size(); ++row) {
        if (placements_[row].id == id) {
            return static_cast<int>(row);
        }
    }
    return -1;
}

const Placement* Workspace::placement(int id) const {
    const int row = rowOf(id);
    return row < 0 ? nullptr : &placements_[at(row)];
}

Placement* Workspace::mutablePlacement(int id) {
    const int row = rowOf(id);
    return row < 0 ? nullptr : &placements_[at(row)];
}

void Workspace::setCurrent(int id) {
    if (id == currentId_ || (id != -1 && placement(id) == nullptr)) {
        return;
    }
    preview_.reset();
    currentId_ = id;
    hasLastDifference_ = false;
    Q_EMIT currentChanged();
    Q_EMIT assignmentChanged();
    Q_EMIT timelineChanged();
}

QString Workspace::uniqueOrigin(const QString& method) const {
    const auto taken = [this](const QString& label) {
        return std::any_of(placements_.begin(), placements_.end(),
                           [&](const Placement& each) { return each.origin == label; });
    };
    QString label = method;
    for (int number = 2; taken(label); ++number) {
        label = QStringLiteral("%1 %2").arg(method).arg(number);
    }
    return label;
}

int Workspace::addPlacement(const sim::Assignment& assignment, const QString& method,
                            std::uint64_t seed, double seconds, bool show, bool undoable) {
    sim::checkAssignment(*problem_, assignment);
    Placement placement;
    placement.id = ++lastId_;
    placement.method = method;
    placement.origin = uniqueOrigin(method);
    placement.seed = seed;
    placement.seconds = seconds;
    placement.assignment = std::make_shared<const sim::Assignment>(assignment);
    placement.found = placement.assignment;
    const bool shown = show || currentId_ < 0;
    const int row = static_cast<int>(placements_.size());
    if (undoable) {
        undoStack_.push(new AddPlacementCommand(*this, std::move(placement), row, shown));
    } else {
        const int current = shown ? placement.id : currentId_;
        applyInsert(placement, row, current);
    }
    return lastId_;
}

void Workspace::removePlacement(int id) {
    if (placement(id) != nullptr) {
        undoStack_.push(new RemovePlacementCommand(*this, id));
    }
}

void Workspace::renamePlacement(int id, const QString& name) {
    const Placement* row = placement(id);
    const QString trimmed = name.trimmed();
    if (row != nullptr && !trimmed.isEmpty() && trimmed != row->origin) {
        undoStack_.push(new RenamePlacementCommand(*this, id, trimmed));
    }
}

void Workspace::applyInsert(const Placement& placement, int row, int currentId) {
    preview_.reset();
    placements_.insert(placements_.begin() + row, placement);
    Placement& inserted = placements_[at(row)];
    hasLastDifference_ = hasLastDifference_ && currentId == currentId_;
    currentId_ = currentId;
    // The problem may have changed since the row was removed.
    inserted.timeline = nullptr;
    simulate(placement.id);
    Q_EMIT placementsChanged();
    Q_EMIT currentChanged();
    Q_EMIT assignmentChanged();
    Q_EMIT timelineChanged();
}

void Workspace::applyRemove(int id, int currentId) {
    preview_.reset();
    placements_.erase(placements_.begin() + rowOf(id));
    simulationJobs_.erase(id);
    currentId_ = currentId;
    hasLastDifference_ = false;
    Q_EMIT placementsChanged();
    Q_EMIT currentChanged();
    Q_EMIT assignmentChanged();
    Q_EMIT timelineChanged();
}

void Workspace::applyRename(int id, const QString& name) {
    mutablePlacement(id)->origin = name;
    Q_EMIT placementsChanged();
    if (id == currentId_) {
        Q_EMIT currentChanged();
    }
}

// --- editing -----------------------------------------------------------------------------------

void Workspace::assign(const std::set<OpId>& ops, DeviceId device, int dragKey) {
    std::map<OpId, DeviceId> changes;
    for (const OpId op : ops) {
        changes[op] = device;
    }
    const QString text =
        ops.size() == 1
            ? QStringLiteral("move of %1")
                  .arg(QString::fromStdString(problem_->graph->opName(*ops.begin())))
            : QStringLiteral("move of %1").arg(plural(static_cast<int>(ops.size()), "op"));
    assign(changes, text, dragKey);
}

void Workspace::assign(const std::map<OpId, DeviceId>& changes, const QString& text, int dragKey) {
    const Placement* shown = committed();
    if (shown == nullptr) {
        return;
    }
    auto assignment = std::make_shared<sim::Assignment>(*shown->assignment);
    int pinned = 0;
    for (const auto& [op, device] : changes) {
        if (device < 0 || device >= problem_->deviceCount()) {
            return;
        }
        if (isPinned(op) && problem_->pin(op) != device) {
            ++pinned;
            continue;
        }
        (*assignment)[at(op)] = device;
    }
    if (pinned > 0) {
        Q_EMIT notice(QStringLiteral("%1 stayed on %2 device")
                          .arg(plural(pinned, "pinned op"), pinned == 1 ? "its" : "their"));
    }
    if (*assignment == *shown->assignment) {
        return;
    }
    if (!shown->edited) {
        // What a method found is kept: the edit goes into a copy.
        Placement copy = *shown;
        copy.id = ++lastId_;
        copy.assignment = std::move(assignment);
        copy.edited = true;
        const Time before = shown->makespan();
        auto* command = new AddPlacementCommand(*this, std::move(copy), rowOf(shown->id) + 1, true);
        command->setDragKey(dragKey);
        command->setText(text);
        undoStack_.push(command);
        if (before >= 0 && current()->timeline) {
            lastDifference_ = current()->makespan() - before;
            hasLastDifference_ = true;
            Q_EMIT timelineChanged();
        }
        return;
    }
    undoStack_.push(new AssignCommand(*this, shown->id, shown->assignment, std::move(assignment),
                                      dragKey, text));
}

void Workspace::applyAssignment(int id, std::shared_ptr<const sim::Assignment> assignment) {
    Placement* placement = mutablePlacement(id);
    if (placement == nullptr) {
        return;
    }
    preview_.reset();
    const Time before = placement->makespan();
    placement->assignment = std::move(assignment);
    placement->stale = true;
    if (id != currentId_) {
        setCurrent(id);
    }
    simulate(id);
    placement = mutablePlacement(id);
    hasLastDifference_ = before >= 0 && !placement->stale;
    lastDifference_ = hasLastDifference_ ? placement->makespan() - before : 0;
    Q_EMIT placementsChanged();
    Q_EMIT assignmentChanged();
    Q_EMIT timelineChanged();
}

void Workspace::setPreview(const std::map<OpId, DeviceId>& changes) {
    const Placement* base = committed();
    if (base == nullptr || !base->timeline || (changes.empty() && !preview_) ||
        !simulatesAtOnce()) {
        return;
    }
    if (changes.empty()) {
        preview_.reset();
    } else {
        auto assignment = std::make_shared<sim::Assignment>(*base->assignment);
        for (const auto& [op, device] : changes) {
            (*assignment)[at(op)] = device;
        }
        preview_ = std::make_unique<Placement>(*base);
        preview_->assignment = std::move(assignment);
        simulateNow(*preview_);
    }
    Q_EMIT assignmentChanged();
    Q_EMIT timelineChanged();
}

bool Workspace::isPinned(OpId op) const {
    return problem_ && problem_->pin(op) != kNoDevice;
}

void Workspace::setPinned(const std::set<OpId>& ops, bool pinned) {
    if (!problem_ || current() == nullptr) {
        return;
    }
    std::vector<DeviceId> pins = problem_->pins;
    pins.resize(at(problem_->opCount()), kNoDevice);
    for (const OpId op : ops) {
        pins[at(op)] = pinned ? (*committed()->assignment)[at(op)] : kNoDevice;
    }
    if (pins == problem_->pins) {
        return;
    }
    undoStack_.push(
        new PinCommand(*this, std::move(pins),
                       QStringLiteral("%1 %2").arg(pinned ? "pin" : "unpin",
                                                   plural(static_cast<int>(ops.size()), "op"))));
}

void Workspace::applyPins(std::vector<DeviceId> pins) {
    preview_.reset();
    problem_ = withPins(*problem_, std::move(pins));
    simulator_ = std::make_unique<sim::Simulator>(problem_);
    Q_EMIT pinsChanged();
}

void Workspace::setSessionPath(const QString& path) {
    sessionPath_ = path;
    undoStack_.setClean();
    Q_EMIT modifiedChanged();
}

// --- simulation --------------------------------------------------------------------------------

bool Workspace::simulatesAtOnce() const {
    return problem_->opCount() + problem_->graph->edgeCount() <= kSimulateAtOnce;
}

void Workspace::simulate(int id) {
    Placement* placement = mutablePlacement(id);
    if (simulatesAtOnce()) {
        simulateNow(*placement);
    } else {
        simulateInBackground(id);
    }
}

void Workspace::simulateNow(Placement& placement) {
    store(placement, simulateWith(*simulator_, *placement.assignment));
}

void Workspace::simulateInBackground(int id) {
    if (const auto running = simulationJobs_.find(id); running != simulationJobs_.end()) {
        running->second->cancel(); // the latest request wins
    }
    const auto problem = problem_;
    const auto assignment = placement(id)->assignment;
    mutablePlacement(id)->stale = true;
    Job* job = jobs_.start<Simulated>(
        {QStringLiteral("Simulation"), false, true},
        [problem, assignment](JobContext&) {
            sim::Simulator simulator(problem);
            return simulateWith(simulator, *assignment);
        },
        [this, id, problem, assignment](Simulated result) {
            Placement* target = mutablePlacement(id);
            const bool wanted = target != nullptr && target->assignment == assignment && problem_ &&
                                problem_->costs == problem->costs &&
                                problem_->options == problem->options;
            if (!wanted) {
                return;
            }
            const Time before = target->makespan();
            store(*target, std::move(result));
            if (id == currentId_ && before >= 0) {
                lastDifference_ = target->makespan() - before;
                hasLastDifference_ = true;
            }
            announceFigures(id);
        });
    simulationJobs_[id] = job;
    connect(job, &Job::finished, this, [this, id, job] {
        if (const auto entry = simulationJobs_.find(id);
            entry != simulationJobs_.end() && entry->second == job) {
            simulationJobs_.erase(entry);
        }
    });
}

void Workspace::announceFigures(int id) {
    Q_EMIT placementsChanged();
    if (id == currentId_) {
        Q_EMIT timelineChanged();
    }
}

} // namespace doppler::views
