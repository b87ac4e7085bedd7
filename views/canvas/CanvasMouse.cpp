#include "views/canvas/CanvasMouse.h"

#include <QApplication>
#include <algorithm>

namespace doppler::views {

namespace {
constexpr double kLassoStep = 4; // pixels between points of an outline
} // namespace

CanvasMouse::CanvasMouse(Workspace& workspace, CanvasGeometry& geometry,
                         const CanvasOverlays& overlays)
    : workspace_(workspace), geometry_(geometry), overlays_(overlays) {}

void CanvasMouse::press(const QPointF& point, Qt::MouseButton button,
                        Qt::KeyboardModifiers modifiers) {
    if (isBusy() || geometry_.isEmpty()) {
        return;
    }
    start_ = point;
    last_ = point;
    modifiers_ = modifiers;
    if (button == Qt::MiddleButton ||
        (button == Qt::LeftButton && modifiers.testFlag(Qt::AltModifier))) {
        mode_ = Mode::Panning;
        return;
    }
    if (button != Qt::LeftButton) {
        return;
    }
    if (overlays_.minimapRect().contains(point)) {
        mode_ = Mode::Minimap;
        geometry_.centreOn(overlays_.sceneAt(point, geometry_));
        return;
    }
    pressed_ = opsAt(point);
    mode_ = !pressed_.empty() && !lasso ? Mode::PressedOp : Mode::PressedBackground;
}

std::set<OpId> CanvasMouse::opsAt(const QPointF& point) const {
    if (const OpId op = geometry_.opAt(point); op != kNoOp) {
        return {op};
    }
    const std::int32_t box = geometry_.boxAt(point);
    if (box < 0) {
        return {};
    }
    const FoldedLayout& folds = *geometry_.folds();
    const std::vector<OpId> ops =
        folds.fold->tree().opsOf(folds.boxes[static_cast<std::size_t>(box)].group);
    return {ops.begin(), ops.end()};
}

void CanvasMouse::move(const QPointF& point) {
    const bool started = (point - start_).manhattanLength() >= QApplication::startDragDistance();
    switch (mode_) {
    case Mode::Panning:
        geometry_.panBy(point - last_);
        break;
    case Mode::Minimap:
        geometry_.centreOn(overlays_.sceneAt(point, geometry_));
        break;
    case Mode::PressedOp:
        if (started) {
            startDragging(point);
        }
        break;
    case Mode::PressedBackground:
        if (started) {
            mode_ = Mode::Selecting;
            outline_ = QPolygonF{start_};
            updateOutline(point);
        }
        break;
    case Mode::Selecting:
        updateOutline(point);
        break;
    case Mode::Dragging:
        setTarget(chips_.deviceAt(point));
        break;
    case Mode::Idle:
        break;
    }
    last_ = point;
}

void CanvasMouse::release(const QPointF& point) {
    Selection& selection = workspace_.selection();
    const bool adds = modifiers_ & (Qt::ShiftModifier | Qt::ControlModifier);
    switch (mode_) {
    case Mode::PressedOp:
        clickOps();
        break;
    case Mode::PressedBackground:
        if (!pressed_.empty()) {
            clickOps(); // a click in lasso mode
        } else if (!adds) {
            selection.clear();
        }
        break;
    case Mode::Selecting:
        updateOutline(point);
        if (adds) {
            selection.add(*preview_);
        } else if (preview_->empty()) {
            selection.clear();
        } else {
            selection.select(*preview_);
        }
        break;
    case Mode::Dragging: {
        const DeviceId device = chips_.deviceAt(point);
        setTarget(kNoDevice);
        // Another placement may have come into view meanwhile: that is not what was dragged.
        if (device != kNoDevice && workspace_.currentId() == placement_) {
            workspace_.assign(dragged_, device);
        }
        break;
    }
    default:
        break;
    }
    finish();
}

bool CanvasMouse::cancel() {
    if (!isBusy()) {
        return false;
    }
    if (mode_ == Mode::Dragging) {
        setTarget(kNoDevice);
    }
    finish();
    return true;
}

void CanvasMouse::finish() {
    mode_ = Mode::Idle;
    pressed_.clear();
    outline_.clear();
    preview_.reset();
    chips_ = {};
    dragged_.clear();
    target_ = kNoDevice;
}

void CanvasMouse::clickOps() {
    Selection& selection = workspace_.selection();
    if (modifiers_.testFlag(Qt::ControlModifier)) {
        if (pressed_.size() == 1) {
            selection.toggle(*pressed_.begin());
            return;
        }
        std::set<OpId> ops = selection.ops();
        const bool all = std::includes(ops.begin(), ops.end(), pressed_.begin(), pressed_.end());
        for (const OpId op : pressed_) {
            all ? static_cast<void>(ops.erase(op)) : static_cast<void>(ops.insert(op));
        }
        selection.select(std::move(ops));
    } else if (modifiers_.testFlag(Qt::ShiftModifier)) {
        selection.add(pressed_);
    } else if (pressed_.size() == 1) {
        selection.select(*pressed_.begin());
    } else {
        selection.select(pressed_);
    }
}

void CanvasMouse::updateOutline(const QPointF& point) {
    if (lasso) {
        if ((point - outline_.last()).manhattanLength() >= kLassoStep) {
            outline_.append(point);
        }
        preview_ = geometry_.opsIn(outline_);
    } else {
        const QRectF band = QRectF(start_, point).normalized();
        outline_ =
            QPolygonF{band.topLeft(), band.topRight(), band.bottomRight(), band.bottomLeft()};
        preview_ = geometry_.opsIn(band);
    }
}

void CanvasMouse::startDragging(const QPointF& point) {
    Selection& selection = workspace_.selection();
    if (!std::includes(selection.ops().begin(), selection.ops().end(), pressed_.begin(),
                       pressed_.end())) {
        selection.select(pressed_);
    }
    if (!workspace_.current() || !workspace_.hasProblem()) {
        finish(); // nothing is placed yet
        return;
    }
    mode_ = Mode::Dragging;
    dragged_ = selection.ops();
    placement_ = workspace_.currentId();
    chips_ = ChipStrip(start_, geometry_.viewRect(), *workspace_.problem()->cluster);
    setTarget(chips_.deviceAt(point));
}

// What a drop would do shows in every view before it is done.
void CanvasMouse::setTarget(DeviceId device) {
    if (device == target_) {
        return;
    }
    target_ = device;
    std::map<OpId, DeviceId> changes;
    for (const OpId op : dragged_) {
        if (device != kNoDevice && !workspace_.isPinned(op)) {
            changes[op] = device;
        }
    }
    workspace_.setPreview(changes);
}

} // namespace doppler::views
