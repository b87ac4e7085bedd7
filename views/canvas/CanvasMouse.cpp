#include "views/canvas/CanvasMouse.h"

#include <QApplication>

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
    pressed_ = geometry_.opAt(point);
    mode_ = pressed_ != kNoOp && !lasso ? Mode::PressedOp : Mode::PressedBackground;
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
        clickOp();
        break;
    case Mode::PressedBackground:
        if (pressed_ != kNoOp) {
            clickOp(); // a click in lasso mode
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
        if (device != kNoDevice) {
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
    pressed_ = kNoOp;
    outline_.clear();
    preview_.reset();
    chips_ = {};
    dragged_.clear();
    target_ = kNoDevice;
}

void CanvasMouse::clickOp() {
    Selection& selection = workspace_.selection();
    if (modifiers_.testFlag(Qt::ControlModifier)) {
        selection.toggle(pressed_);
    } else if (modifiers_.testFlag(Qt::ShiftModifier)) {
        selection.add({pressed_});
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
    if (!selection.contains(pressed_)) {
        selection.select(pressed_);
    }
    if (!workspace_.current() || !workspace_.hasProblem()) {
        finish(); // nothing is placed yet
        return;
    }
    mode_ = Mode::Dragging;
    dragged_ = selection.ops();
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
