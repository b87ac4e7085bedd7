#pragma once

#include <QObject>
#include <QPointF>
#include <memory>

#include "views/gantt/GanttPlot.h"
#include "views/workspace/Workspace.h"

class QContextMenuEvent;
class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace doppler::views {

/// Everything that mouse and keys do in the timelines: zoom and pan, select, drag ops to other
/// lanes, measure, move the play head.
class GanttInput : public QObject {
    Q_OBJECT

public:
    GanttInput(GanttPlot& plot, Workspace& workspace);
    ~GanttInput() override;

    bool eventFilter(QObject* watched, QEvent* event) override;
    bool isDraggingOp() const;

    /// Shows the selected ops, or everything when they are shown already (or none is).
    void fitSelection();
    void zoomAtCentre(double factor);

Q_SIGNALS:
    /// The pointer rests on an interval (or on none: invalid) at a point of the plot.
    void pointed(doppler::views::IntervalRef interval, QPointF at);
    void contextMenuRequested(QPoint global);

private:
    struct Drag;
    bool mousePress(QMouseEvent* event);
    bool mouseMove(QMouseEvent* event);
    bool mouseRelease(QMouseEvent* event);
    bool doubleClick(QMouseEvent* event);
    bool wheel(QWheelEvent* event);
    bool keyPress(QKeyEvent* event);
    bool contextMenu(QContextMenuEvent* event);

    std::unique_ptr<Drag> dragFor(QMouseEvent* event);
    void hover(const QPointF& point);
    void click(const QPointF& point, bool toggle);
    void moveDraggedOps(const QPointF& point);
    void cancelDrag();
    void select(OpId op);
    void assignSelection(DeviceId device);
    void togglePin();
    Time snapped(const QPointF& point) const;
    std::set<OpId> opsIn(const QRectF& band) const;
    bool escape();
    const GanttTrack* track(int index) const;

    GanttPlot& plot_;
    Workspace& workspace_;
    std::unique_ptr<Drag> drag_;
};

} // namespace doppler::views
