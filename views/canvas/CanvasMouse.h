#pragma once

#include <QPolygonF>
#include <optional>
#include <set>

#include "views/canvas/CanvasGeometry.h"
#include "views/canvas/CanvasOverlays.h"
#include "views/canvas/ChipStrip.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// Turns presses and moves of the pointer into changes of view, selection and assignment. No
/// widget: points are in view coordinates, the caller repaints.
///
/// On an op or a group: click selects, Ctrl+click toggles, Shift+click adds, a drag shows device
/// chips to drop on. On the background: a drag selects by rectangle (or outline, with the lasso),
/// with Shift or Ctrl adding; a click clears. Middle button or Alt+drag pans. On the minimap: moves
/// the view.
class CanvasMouse {
public:
    enum class Mode { Idle, PressedOp, PressedBackground, Selecting, Panning, Minimap, Dragging };

    CanvasMouse(Workspace& workspace, CanvasGeometry& geometry, const CanvasOverlays& overlays);

    bool lasso = false;

    void press(const QPointF& point, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
    void move(const QPointF& point);
    void release(const QPointF& point);
    /// Drops whatever is going on, without a trace; false if nothing was.
    bool cancel();

    Mode mode() const { return mode_; }
    bool isBusy() const { return mode_ != Mode::Idle; }
    /// What is drawn while selecting: a rectangle has four corners.
    const QPolygonF& outline() const { return outline_; }
    /// Ops that a release would select now; nothing while not selecting.
    const std::optional<std::set<OpId>>& preview() const { return preview_; }
    const ChipStrip& chips() const { return chips_; }
    DeviceId dropTarget() const { return target_; }
    QPointF pointer() const { return last_; }
    const std::set<OpId>& draggedOps() const { return dragged_; }

private:
    void startDragging(const QPointF& point);
    void setTarget(DeviceId device);
    void updateOutline(const QPointF& point);
    void clickOps();
    std::set<OpId> opsAt(const QPointF& point) const;
    void finish();

    Workspace& workspace_;
    CanvasGeometry& geometry_;
    const CanvasOverlays& overlays_;
    Mode mode_ = Mode::Idle;
    Qt::KeyboardModifiers modifiers_;
    QPointF start_;
    QPointF last_;
    std::set<OpId> pressed_; // an op, or those of a collapsed group
    int placement_ = -1;     // that is dragged in
    QPolygonF outline_;
    std::optional<std::set<OpId>> preview_;
    ChipStrip chips_;
    std::set<OpId> dragged_;
    DeviceId target_ = kNoDevice;
};

} // namespace doppler::views
