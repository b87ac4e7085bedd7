#pragma once

#include <QUndoCommand>
#include <memory>
#include <vector>

#include "views/workspace/Workspace.h"

namespace doppler::views {

/// Gives the ops of one placement other devices. With the same drag key, successive commands fold
/// into one; a fold that ends where it began removes itself.
class AssignCommand : public QUndoCommand {
public:
    using Side = std::shared_ptr<const sim::Assignment>;

    AssignCommand(Workspace& workspace, int placement, Side before, Side after, int dragKey,
                  const QString& text);

    void undo() override;
    void redo() override;
    int id() const override;
    bool mergeWith(const QUndoCommand* other) override;

private:
    friend class AddPlacementCommand;
    Workspace& workspace_;
    int placement_;
    Side before_;
    Side after_;
    int dragKey_;
};

/// Adds a row and shows it.
class AddPlacementCommand : public QUndoCommand {
public:
    AddPlacementCommand(Workspace& workspace, Placement placement, int row, bool show);

    void undo() override;
    void redo() override;
    int id() const override;
    /// Folds a drag that follows the edited copy it started from into this step.
    bool mergeWith(const QUndoCommand* other) override;
    void setDragKey(int key) { dragKey_ = key; }

private:
    Workspace& workspace_;
    Placement placement_;
    int row_;
    int currentBefore_;
    bool show_;
    int dragKey_ = -1;
};

class RemovePlacementCommand : public QUndoCommand {
public:
    RemovePlacementCommand(Workspace& workspace, int placement);

    void undo() override;
    void redo() override;

private:
    Workspace& workspace_;
    Placement placement_;
    int row_;
    int currentBefore_;
    int currentAfter_;
};

class RenamePlacementCommand : public QUndoCommand {
public:
    RenamePlacementCommand(Workspace& workspace, int placement, const QString& name);

    void undo() override;
    void redo() override;

private:
    Workspace& workspace_;
    int placement_;
    QString before_;
    QString after_;
};

class PinCommand : public QUndoCommand {
public:
    PinCommand(Workspace& workspace, std::vector<DeviceId> pins, const QString& text);

    void undo() override;
    void redo() override;

private:
    Workspace& workspace_;
    std::vector<DeviceId> before_;
    std::vector<DeviceId> after_;
};

/// Another cluster, cost model or simulation under the same graph.
class ChangeProblemCommand : public QUndoCommand {
public:
    ChangeProblemCommand(Workspace& workspace, Workspace::ProblemState before,
                         Workspace::ProblemState after, const QString& text);

    void undo() override;
    void redo() override;

private:
    Workspace& workspace_;
    Workspace::ProblemState before_;
    Workspace::ProblemState after_;
};

} // namespace doppler::views
