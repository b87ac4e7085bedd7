#include "views/workspace/Workspace.h"

#include <algorithm>

#include "views/workspace/EditCommands.h"

namespace doppler::views {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

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
                            std::uint64_t seed, double seconds, bool show, bool undoable,
                            const FoundObjective& objective) {
    sim::checkAssignment(*problem_, assignment);
    Placement placement;
    placement.id = ++lastId_;
    placement.method = method;
    placement.origin = uniqueOrigin(method);
    placement.seed = seed;
    placement.seconds = seconds;
    placement.objective = objective;
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

void Workspace::replaceFound(int id, const sim::Assignment& assignment, double seconds) {
    Placement* row = mutablePlacement(id);
    if (row == nullptr || row->edited || *row->assignment == assignment) {
        return;
    }
    sim::checkAssignment(*problem_, assignment);
    if (id == currentId_) {
        preview_.reset();
        hasLastDifference_ = false;
    }
    row->assignment = std::make_shared<const sim::Assignment>(assignment);
    row->found = row->assignment;
    row->real = nullptr;
    row->seconds = seconds;
    row->stale = true;
    simulate(id);
    Q_EMIT placementsChanged();
    if (id == currentId_) {
        Q_EMIT assignmentChanged();
        Q_EMIT timelineChanged();
    }
}

void Workspace::setReal(int id, std::shared_ptr<const RealResult> result) {
    Placement* row = mutablePlacement(id);
    if (row != nullptr) {
        row->real = std::move(result);
        Q_EMIT placementsChanged();
        if (id == currentId_) {
            Q_EMIT timelineChanged();
        }
    }
}

void Workspace::setLive(int id, std::shared_ptr<const RealResult> result) {
    Placement* row = mutablePlacement(id);
    if (row != nullptr && row->live != result) {
        row->live = std::move(result);
        if (id == currentId_) {
            Q_EMIT timelineChanged();
        }
    }
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

} // namespace doppler::views
