#pragma once

#include <QPointF>
#include <QWidget>
#include <optional>

#include "views/gantt/GanttTrack.h"
#include "views/theme/Appearance.h"

class QLabel;
class QScrollBar;
class QToolButton;

namespace doppler::views {

class GanttPlot;
class HoverCard;
class TimeLink;

/// A recorded trace to look at: nothing in it can be edited. Its time axis is its own, or that of
/// the timelines above it.
class TraceView : public QWidget {
    Q_OBJECT

public:
    /// `timelines` are what its axis may be linked with; they must outlive it.
    TraceView(Appearance& appearance, GanttPlot& timelines, QWidget* parent = nullptr);

    /// Shows a track that traceTrack() made.
    void setTrack(GanttTrack track);
    void clear();
    bool isEmpty() const;
    bool isLinked() const;
    GanttPlot& plot() { return *plot_; }
    /// What the card says of the span under a point of the plot; empty where there is none.
    QString textAt(const QPointF& point) const;

Q_SIGNALS:
    void closeRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* addButton(const QString& name, const QString& tip);
    void updateScrollBar();
    void updateLink();
    QString whyNotLinked() const;
    void applyTheme();
    void zoomAtCentre(double factor);
    bool keyPress(int key);
    bool wheel(QEvent* event);
    bool move(const QPointF& point);

    Appearance& appearance_;
    GanttPlot& timelines_;
    QWidget* header_;
    QLabel* facts_;
    GanttPlot* plot_;
    QScrollBar* scrollBar_;
    HoverCard* card_;
    TimeLink* link_;
    QToolButton* linked_;
    QToolButton* zoomOut_;
    QToolButton* zoomIn_;
    QToolButton* fit_;
    QToolButton* close_;
    bool linkChosen_ = false; ///< by hand, for this trace; or it was seen that lengths are alike
    std::optional<QPointF> drag_; ///< where the pointer was last
};

} // namespace doppler::views
