#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "views/canvas/CanvasLayouts.h"
#include "views/canvas/CanvasMouse.h"
#include "views/canvas/CanvasPicture.h"
#include "views/theme/Appearance.h"
#include "views/widgets/HoverCard.h"
#include "views/workspace/Workspace.h"

class QMenu;

namespace doppler::views {

/// The graph as a picture to look at and to edit: one widget that paints everything itself.
class GraphCanvas : public QWidget {
    Q_OBJECT

public:
    GraphCanvas(Workspace& workspace, Appearance& appearance,
                std::shared_ptr<LayoutLibrary> library, QWidget* parent = nullptr);
    ~GraphCanvas() override;

    const CanvasScene& scene();
    const CanvasGeometry& geometry() const { return geometry_; }
    const CanvasMouse& mouse() const { return mouse_; }
    const CanvasOverlays& overlays() const { return overlays_; }
    bool isLayoutRunning() const { return layouts_.isRunning() || groupsJob_; }
    /// What the last picture left out, in words; empty: nothing.
    QString omissionText() const;

    bool isLasso() const { return mouse_.lasso; }
    void setLasso(bool on);
    /// By op: 1 for those that stay bright; empty: all.
    void setMatches(std::vector<std::uint8_t> matches);
    /// By op, for ColourBy::MoveGain; empty: unknown.
    void setMoveGain(std::vector<Time> gain);
    bool isCrossDeviceOnly() const { return crossDeviceOnly_; }
    void setCrossDeviceOnly(bool on);
    void setLegendVisible(bool on);
    void setMinimapVisible(bool on);
    bool isLegendVisible() const { return overlays_.showLegend; }
    bool isMinimapVisible() const { return overlays_.showMinimap; }

    /// Whether the graph has groups to collapse.
    bool hasGroups() const;
    bool anyCollapsed() const;
    /// As collapseAll() leaves it.
    bool allCollapsed() const;
    void collapseAll();
    void expandAll();
    void setCollapsed(std::int32_t group, bool collapsed);
    /// The groups as they are; nothing for a graph without.
    const std::optional<graph::FoldState>& groups() const { return fold_; }

    void zoomIn();
    void zoomOut();
    void resetZoom(); ///< 100 %
    /// The selection; if that is in view already, or there is none, everything.
    void fit();
    void fitAll();
    void reveal(OpId op);

    QSize sizeHint() const override { return {760, 420}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

Q_SIGNALS:
    void zoomChanged();
    void lassoChanged(bool on);
    void layoutRunningChanged();
    void omissionChanged();
    void groupsChanged(); ///< one was collapsed or expanded, or the graph has others
    void notice(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    void sceneChanged();
    void refreshScene();
    void showLayout(std::shared_ptr<const GraphLayout> layout);
    void showFolds(std::shared_ptr<const FoldedLayout> layout);
    void resetGroups();
    void announceGroups();
    /// Back to the groups as they are on screen.
    void restoreGroups();
    void requestLayout();
    void toggleBox(std::int32_t box);
    /// The group that hides the current op, or the one around it; -1: none.
    std::int32_t groupToExpand() const;
    std::int32_t groupToCollapse() const;
    bool handleGroupKey(const QKeyEvent& event);
    void addGroupActions(QMenu& menu);
    void viewMoved();
    void arrangeOverlays();
    void updateCursor();
    void updateHover(const QPointF& point);
    void showCard();
    void announceCurrent();
    CanvasMarks marks() const;
    void paintGesture(QPainter& painter) const;
    void paintMessage(QPainter& painter, const QString& text) const;
    void paintBusyBar(QPainter& painter) const;

    Workspace& workspace_;
    Appearance& appearance_;
    CanvasLayouts layouts_;
    CanvasGeometry geometry_;
    CanvasOverlays overlays_;
    CanvasMouse mouse_;
    CanvasScene scene_;
    CanvasPicture picture_;
    std::unique_ptr<LegendPainter> legend_; // of scene_ and picture_
    HoverCard* card_;
    std::vector<std::uint8_t> matches_;
    std::vector<Time> moveGain_;
    std::optional<graph::FoldState> fold_;
    QPointer<Job> groupsJob_; // finds them; the layout waits for it
    std::int32_t hoveredBox_ = -1;
    std::int32_t anchorGroup_ = -1; // stays at anchor_ when the next layout comes
    QPointF anchor_;
    bool fitNext_ = false; // show everything when the next layout comes
    bool crossDeviceOnly_ = false;
    bool sceneDirty_ = true;
    bool overlaysDirty_ = true;
    bool moving_ = false; // the view, at this moment
    bool keyboardFocus_ = false;
    QPointF pointer_{-1, -1};
    EdgeOmission shownOmission_ = EdgeOmission::None;
    QTimer cardTimer_;
    QTimer restTimer_; // the view has come to rest
    QTimer busyTimer_;
    int busyStep_ = 0;
};

} // namespace doppler::views
