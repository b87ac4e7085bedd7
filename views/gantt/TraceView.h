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

/// A recorded trace to look at, with a time axis of its own: nothing in it can be edited.
class TraceView : public QWidget {
    Q_OBJECT

public:
    explicit TraceView(Appearance& appearance, QWidget* parent = nullptr);

    /// Shows a track that traceTrack() made.
    void setTrack(GanttTrack track);
    void clear();
    bool isEmpty() const;
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
    void applyTheme();
    void zoomAtCentre(double factor);
    bool keyPress(int key);
    bool wheel(QEvent* event);
    bool move(const QPointF& point);

    Appearance& appearance_;
    QWidget* header_;
    QLabel* facts_;
    GanttPlot* plot_;
    QScrollBar* scrollBar_;
    HoverCard* card_;
    QToolButton* zoomOut_;
    QToolButton* zoomIn_;
    QToolButton* fit_;
    QToolButton* close_;
    std::optional<QPointF> drag_; ///< where the pointer was last
};

} // namespace doppler::views
