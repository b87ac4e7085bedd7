#pragma once

/// views/gantt: the Timelines view: what ran where and when, and why it ended when it did.

#include <QPointer>
#include <QWidget>
#include <memory>
#include <utility>
#include <vector>

#include "views/gantt/GanttTrack.h"
#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

class QComboBox;
class QLabel;
class QScrollBar;
class QToolButton;

namespace doppler::views {

class GanttHeader;
class GanttInput;
class GanttPlot;
class HoverCard;
struct IntervalRef;

/// Header bar and one or two timelines on one time axis.
class GanttView : public QWidget {
    Q_OBJECT

public:
    GanttView(Workspace& workspace, Appearance& appearance, QWidget* parent = nullptr);

    GanttPlot& plot() const { return *plot_; }
    /// What the shown placement did when it was run, below what was simulated.
    void showReal();

private:
    void updateTracks();
    void updateSelection();
    void updateViewState();
    void updateDimming();
    void updateScrollBar();
    void showHoverCard(const IntervalRef& interval, const QPointF& at);
    void showMenu(const QPoint& global);
    /// Without lanes where these are not made yet (see makeLanes).
    GanttTrack trackOf(const Placement& placement) const;
    GanttTrack trackOf(std::shared_ptr<const sim::Problem> problem,
                       std::shared_ptr<const sim::Timeline> timeline,
                       std::shared_ptr<const sim::Report> report) const;
    /// In the background; then the tracks are updated.
    void makeLanes(const std::shared_ptr<const sim::Timeline>& timeline);
    void addReal(const Placement& placement, std::vector<GanttTrack>& tracks) const;
    const Placement* compared() const;

    Workspace& workspace_;
    Appearance& appearance_;
    GanttHeader* header_;
    GanttPlot* plot_;
    GanttInput* input_;
    QScrollBar* scrollBar_;
    QLabel* empty_;
    HoverCard* card_;
    /// Made in the background and not shown yet: another track waits for its own.
    std::vector<std::pair<std::shared_ptr<const sim::Timeline>, std::shared_ptr<const LaneModel>>>
        lanes_;
    std::shared_ptr<const sim::Timeline> lanesOf_; ///< what lanesJob_ works on
    QPointer<Job> lanesJob_;
    int shownComparison_ = -1; ///< of the view state, when it was last looked at
};

} // namespace doppler::views
