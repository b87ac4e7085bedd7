// Events of the canvas: pointer, wheel, keys, menu, focus.

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QInputDevice>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "views/canvas/CanvasKeys.h"
#include "views/canvas/GraphCanvas.h"
#include "views/workspace/OpMenu.h"

namespace doppler::views {

namespace {
constexpr double kWheelFactor = 1.2; // a notch
constexpr double kNotch = 120;       // eighths of a degree
} // namespace

void GraphCanvas::updateCursor() {
    const CanvasMouse::Mode mode = mouse_.mode();
    if (mode == CanvasMouse::Mode::Panning || mode == CanvasMouse::Mode::Dragging) {
        setCursor(Qt::ClosedHandCursor);
    } else if (mouse_.lasso) {
        setCursor(Qt::CrossCursor);
    } else if (workspace_.selection().hovered() != kNoOp || hoveredBox_ >= 0 ||
               overlays_.minimapRect().contains(pointer_)) {
        setCursor(Qt::PointingHandCursor);
    } else {
        unsetCursor();
    }
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
    cardTimer_.stop();
    card_->hide();
    refreshScene();
    if (event->button() == Qt::LeftButton && !mouse_.isBusy() &&
        geometry_.opAt(event->position()) == kNoOp) {
        if (const std::int32_t box = geometry_.toggleAt(event->position()); box >= 0) {
            toggleBox(box);
            return;
        }
    }
    const bool wasBusy = mouse_.isBusy();
    mouse_.press(event->position(), event->button(), event->modifiers());
    if (!wasBusy && mouse_.mode() == CanvasMouse::Mode::Minimap) {
        viewMoved();
    }
    updateCursor();
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
    const CanvasTransform before = geometry_.transform();
    mouse_.move(event->position());
    updateHover(event->position());
    if (mouse_.isBusy()) {
        update();
        updateCursor();
    }
    if (before != geometry_.transform()) {
        viewMoved();
    }
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
    mouse_.release(event->position());
    updateHover(event->position());
    updateCursor();
    update();
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || overlays_.minimapRect().contains(event->position())) {
        return;
    }
    const OpId op = geometry_.opAt(event->position());
    const std::int32_t box = op == kNoOp ? geometry_.boxAt(event->position()) : -1;
    if (box >= 0) {
        if (geometry_.toggleAt(event->position()) < 0) { // that press did it already
            toggleBox(box);
        }
    } else if (op == kNoOp) {
        fitAll();
    } else {
        workspace_.selection().select(op);
        resetZoom();
    }
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
    const bool touchpad =
        event->device() != nullptr && event->device()->type() == QInputDevice::DeviceType::TouchPad;
    const bool zooms = !touchpad || event->modifiers().testFlag(Qt::ControlModifier);
    const QPointF delta = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2
                                                       : QPointF(event->pixelDelta());
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        geometry_.panBy({delta.x() + delta.y(), 0});
    } else if (zooms) {
        geometry_.zoomAt(event->position(),
                         std::pow(kWheelFactor, event->angleDelta().y() / kNotch));
    } else {
        geometry_.panBy(delta);
    }
    viewMoved();
    event->accept();
}

void GraphCanvas::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    updateHover({-1, -1});
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        if (mouse_.cancel()) {
            updateCursor();
            update();
        } else if (mouse_.lasso) {
            setLasso(false);
        } else {
            workspace_.selection().clear();
        }
        return;
    }
    refreshScene();
    if (mouse_.isBusy()) {
        return;
    }
    switch (event->key()) {
    case Qt::Key_F:
        fit();
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return;
    case Qt::Key_Minus:
        zoomOut();
        return;
    case Qt::Key_0:
        resetZoom();
        return;
    default:
        break;
    }
    if (handleGroupKey(*event)) {
        return;
    }
    if (!handleOpKey(*event, workspace_, geometry_)) {
        QWidget::keyPressEvent(event);
    }
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (mouse_.cancel()) {
        updateCursor();
    }
    card_->hide();
    if (event->reason() == QContextMenuEvent::Mouse) {
        const OpId op = geometry_.opAt(event->pos());
        const std::int32_t box = op == kNoOp ? geometry_.boxAt(event->pos()) : -1;
        if (box >= 0) {
            const std::int32_t group =
                geometry_.folds()->boxes[static_cast<std::size_t>(box)].group;
            const std::vector<OpId> ops = fold_->tree().opsOf(group);
            const std::set<OpId>& selected = workspace_.selection().ops();
            if (!std::includes(selected.begin(), selected.end(), ops.begin(), ops.end())) {
                workspace_.selection().select(std::set<OpId>(ops.begin(), ops.end()));
            }
        } else if (op == kNoOp) {
            workspace_.selection().clear();
        } else if (!workspace_.selection().contains(op)) {
            workspace_.selection().select(op);
        }
    }
    QMenu menu(this);
    fillOpMenu(menu, workspace_, appearance_.theme());
    if (menu.isEmpty()) {
        menu.addAction(tr("Show all\tF"), this, &GraphCanvas::fitAll);
        menu.addAction(tr("100 %\t0"), this, &GraphCanvas::resetZoom);
        QAction* lasso = menu.addAction(tr("Lasso"), this, &GraphCanvas::setLasso);
        lasso->setCheckable(true);
        lasso->setChecked(isLasso());
        QAction* crossing = menu.addAction(tr("Only edges between devices"), this,
                                           &GraphCanvas::setCrossDeviceOnly);
        crossing->setCheckable(true);
        crossing->setChecked(crossDeviceOnly_);
    }
    addGroupActions(menu);
    QPoint place = event->globalPos();
    const OpId current = workspace_.selection().current();
    if (event->reason() == QContextMenuEvent::Keyboard && current != kNoOp &&
        !geometry_.isEmpty()) {
        place = mapToGlobal(geometry_.nodeInView(current).bottomRight().toPoint());
    }
    menu.exec(place);
}

void GraphCanvas::focusInEvent(QFocusEvent* event) {
    keyboardFocus_ = event->reason() == Qt::TabFocusReason ||
                     event->reason() == Qt::BacktabFocusReason ||
                     event->reason() == Qt::ShortcutFocusReason;
    update();
    QWidget::focusInEvent(event);
}

void GraphCanvas::focusOutEvent(QFocusEvent* event) {
    keyboardFocus_ = false;
    update();
    QWidget::focusOutEvent(event);
}

bool GraphCanvas::event(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            geometry_.zoomAt(gesture->position(), 1 + gesture->value());
            viewMoved();
            return true;
        }
    }
    return QWidget::event(event);
}

} // namespace doppler::views
