#include "views/workspace/EditCommands.h"

namespace doppler::views {

namespace {
constexpr int kDragCommandId = 1;
}

AssignCommand::AssignCommand(Workspace& workspace, int placement, Side before, Side after,
                             int dragKey, const QString& text)
    : QUndoCommand(text)
    , workspace_(workspace)
    , placement_(placement)
    , before_(std::move(before))
    , after_(std::move(after))
    , dragKey_(dragKey) {}

void AssignCommand::undo() {
    workspace_.applyAssignment(placement_, before_);
}

void AssignCommand::redo() {
    workspace_.applyAssignment(placement_, after_);
}

int AssignCommand::id() const {
    return dragKey_ >= 0 ? kDragCommandId : -1;
}

bool AssignCommand::mergeWith(const QUndoCommand* other) {
    const auto* next = dynamic_cast<const AssignCommand*>(other);
    if (next == nullptr || next->dragKey_ != dragKey_ || next->placement_ != placement_) {
        return false;
    }
    after_ = next->after_;
    setObsolete(*after_ == *before_);
    return true;
}

AddPlacementCommand::AddPlacementCommand(Workspace& workspace, Placement placement, int row,
                                         bool show)
    : QUndoCommand(QStringLiteral("add %1").arg(placement.label()))
    , workspace_(workspace)
    , placement_(std::move(placement))
    , row_(row)
    , currentBefore_(workspace.currentId())
    , show_(show) {}

void AddPlacementCommand::undo() {
    workspace_.applyRemove(placement_.id, currentBefore_);
}

void AddPlacementCommand::redo() {
    workspace_.applyInsert(placement_, row_, show_ ? placement_.id : currentBefore_);
}

int AddPlacementCommand::id() const {
    return dragKey_ >= 0 ? kDragCommandId : -1;
}

bool AddPlacementCommand::mergeWith(const QUndoCommand* other) {
    const auto* next = dynamic_cast<const AssignCommand*>(other);
    if (next == nullptr || next->dragKey_ != dragKey_ || next->placement_ != placement_.id) {
        return false;
    }
    placement_.assignment = next->after_;
    placement_.timeline = nullptr;
    placement_.report = nullptr;
    if (placement_.edited && placement_.found && *placement_.assignment == *placement_.found) {
        // Back where it began: a copy without edits would be a row that says nothing.
        workspace_.applyRemove(placement_.id, currentBefore_);
        setObsolete(true);
    }
    return true;
}

RemovePlacementCommand::RemovePlacementCommand(Workspace& workspace, int placement)
    : QUndoCommand(QStringLiteral("remove %1").arg(workspace.placement(placement)->label()))
    , workspace_(workspace)
    , placement_(*workspace.placement(placement))
    , row_(workspace.rowOf(placement))
    , currentBefore_(workspace.currentId())
    , currentAfter_(currentBefore_) {
    if (currentBefore_ == placement) {
        const auto& rows = workspace.placements();
        const int neighbour = row_ + 1 < static_cast<int>(rows.size()) ? row_ + 1 : row_ - 1;
        currentAfter_ = neighbour < 0 ? -1 : rows[static_cast<std::size_t>(neighbour)].id;
    }
}

void RemovePlacementCommand::undo() {
    workspace_.applyInsert(placement_, row_, currentBefore_);
}

void RemovePlacementCommand::redo() {
    workspace_.applyRemove(placement_.id, currentAfter_);
}

RenamePlacementCommand::RenamePlacementCommand(Workspace& workspace, int placement,
                                               const QString& name)
    : QUndoCommand(QStringLiteral("rename to %1").arg(name))
    , workspace_(workspace)
    , placement_(placement)
    , before_(workspace.placement(placement)->origin)
    , after_(name) {}

void RenamePlacementCommand::undo() {
    workspace_.applyRename(placement_, before_);
}

void RenamePlacementCommand::redo() {
    workspace_.applyRename(placement_, after_);
}

PinCommand::PinCommand(Workspace& workspace, std::vector<DeviceId> pins, const QString& text)
    : QUndoCommand(text)
    , workspace_(workspace)
    , before_(workspace.problem()->pins)
    , after_(std::move(pins)) {}

void PinCommand::undo() {
    workspace_.applyPins(before_);
}

void PinCommand::redo() {
    workspace_.applyPins(after_);
}

ChangeProblemCommand::ChangeProblemCommand(Workspace& workspace, Workspace::ProblemState before,
                                           Workspace::ProblemState after, const QString& text)
    : QUndoCommand(text)
    , workspace_(workspace)
    , before_(std::move(before))
    , after_(std::move(after)) {}

void ChangeProblemCommand::undo() {
    workspace_.applyProblem(before_);
}

void ChangeProblemCommand::redo() {
    workspace_.applyProblem(after_);
}

} // namespace doppler::views
