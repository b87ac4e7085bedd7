#pragma once

#include <functional>

#include "views/charts/QCustomPlotHeader.h"

#include "views/gantt/GanttGeometry.h"
#include "views/gantt/GanttOverlay.h"
#include "views/gantt/GanttTrack.h"

namespace doppler::views {

/// Paints one timeline inside a GanttPlot: every lane, bar, transfer and mark of it.
class GanttPlottable : public QCPAbstractPlottable {
    Q_OBJECT

public:
    GanttPlottable(QCPAxis* time, QCPAxis* lanes, const GanttScene& scene,
                   const GanttGeometry& geometry, int track);

    double selectTest(const QPointF& pos, bool onlySelectable,
                      QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                           const QCPRange& keyRange = QCPRange()) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;
    QRect clipRect() const override;

private:
    const GanttScene& scene_;
    const GanttGeometry& geometry_;
    int track_;
};

/// What two plots agree on, so that the same time stands at the same place in both.
struct SharedAxis {
    Time end = 0;    ///< the latest that is to be shown
    double chip = 0; ///< width of the widest device chip

    bool operator==(const SharedAxis&) const = default;
};

/// One or two timelines above a common time axis: data, zoom and scrolling, no input. The
/// timelines are painted into one buffer and what follows the pointer into another, so that a
/// moving pointer never repaints the bars.
class GanttPlot : public QCustomPlot {
    Q_OBJECT

public:
    explicit GanttPlot(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Shows these; zoom and scroll are kept while they make sense, else everything is fitted.
    void setTracks(std::vector<GanttTrack> tracks);
    void setBound(Time bound);
    /// Pale, as what is shown is about to be replaced.
    void setDimmed(bool dimmed);
    void setCriticalChain(bool shown);
    void setLinks(bool shown);
    void setMetrics(const GanttMetrics& metrics);

    const GanttScene& scene() const { return scene_; }
    const GanttGeometry& geometryOf() const { return layout_; }
    const GanttOverlay& overlay() const { return overlay_; }
    /// Changes what lies over the timelines and repaints only that.
    void changeOverlay(const std::function<void(GanttOverlay&)>& change);

    /// What this plot needs by itself.
    SharedAxis ownAxis() const;
    /// What another plot beside it needs too; {}: there is none.
    void setSharedAxis(const SharedAxis& axis);

    void setTimeRange(double from, double to);
    void fitAll();
    bool isFitted() const;
    /// Shows a stretch of time with some room around it.
    void fit(const TimeRange& range);
    /// Zooms by `factor` (> 1: closer) around pixel `x`.
    void zoom(double factor, double x);
    void pan(double pixels);
    void setScroll(double scroll);
    /// Scrolls and pans as little as needed to bring an interval into sight.
    void reveal(const IntervalRef& interval);

    /// The interval under a point, within a few pixels of a narrow one.
    IntervalRef intervalAt(const QPointF& point) const;
    /// The execution of `op`, in the first track that has one.
    IntervalRef executionOf(OpId op, int track = 0) const;

Q_SIGNALS:
    void layoutChanged(); ///< scroll range, scroll position or zoom

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void fitLanes();
    void repaintAll();
    /// Repainting takes so long that it is not done twice.
    bool isLong() const;
    double fittedEnd() const;
    double end() const;

    GanttScene scene_;
    GanttGeometry layout_;
    GanttOverlay overlay_;
    GanttMetrics metrics_;
    SharedAxis shared_;
    std::vector<GanttPlottable*> plottables_;
    bool painted_ = false; ///< as it is now: buffers of layers are made in a full repaint
    bool repaintWaits_ = false;
};

} // namespace doppler::views
