#include "views/workspace/Workspace.h"

#include "views/format/Format.h"
#include "views/workspace/EditCommands.h"

namespace doppler::views {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

void Workspace::assign(const std::set<OpId>& ops, DeviceId device, int dragKey) {
    std::map<OpId, DeviceId> changes;
    for (const OpId op : ops) {
        changes[op] = device;
    }
    const QString text =
        ops.size() == 1
            ? QStringLiteral("move of %1")
                  .arg(QString::fromStdString(problem_->graph->opName(*ops.begin())))
            : QStringLiteral("move of %1")
                  .arg(countOf(static_cast<std::int64_t>(ops.size()), QStringLiteral("op")));
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
        Q_EMIT notice(
            QStringLiteral("%1 stayed on %2 device")
                .arg(countOf(pinned, QStringLiteral("pinned op")), pinned == 1 ? "its" : "their"));
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
        copy.real = nullptr;
        copy.live = nullptr;
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
    placement->real = nullptr;
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
                       QStringLiteral("%1 %2").arg(
                           pinned ? "pin" : "unpin",
                           countOf(static_cast<std::int64_t>(ops.size()), QStringLiteral("op")))));
}

void Workspace::applyPins(std::vector<DeviceId> pins) {
    preview_.reset();
    auto pinned = std::make_shared<sim::Problem>(*problem_);
    pinned->pins = std::move(pins);
    problem_ = std::move(pinned);
    simulator_.reset();
    Q_EMIT pinsChanged();
}

} // namespace doppler::views
