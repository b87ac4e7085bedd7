#include "views/gantt/GanttPlot.h"

#include <QTimer>
#include <algorithm>
#include <cmath>

#include "views/gantt/GanttPainter.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

constexpr double kShortestRange = 20;  // integer times; closer shows nothing more
constexpr double kFitMargin = 0.15;    // around a fitted stretch, of its length
constexpr double kNarrowTolerance = 3; // pixels beside a bar that still hit it
constexpr double kTallestLanes = 1.5;  // of their usual height
constexpr double kRefitBelow = 0.7;    // of the view used: the rest is wasted

/// A layerable that calls back; QCustomPlot draws each into the buffer of its layer.
class PaintedLayer : public QCPLayerable {
public:
    using Paint = std::function<void(QCPPainter&)>;
    PaintedLayer(QCustomPlot* plot, const QString& layer, Paint paint)
        : QCPLayerable(plot, layer), paint_(std::move(paint)) {}

protected:
    void draw(QCPPainter* painter) override { paint_(*painter); }
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}

private:
    Paint paint_;
};

} // namespace

GanttPlot::GanttPlot(QWidget* parent) : QCustomPlot(parent) {
    // The time axis is painted by paintTimeAxis, which can put the unit behind the last number.
    for (QCPAxis* axis : {xAxis, yAxis, xAxis2, yAxis2}) {
        axis->setVisible(false);
    }
    axisRect()->setAutoMargins(QCP::msNone);
    axisRect()->setMargins(QMargins(0, 0, 0, 0));
    plotLayout()->setMargins(QMargins(0, 0, 0, 0));
    axisRect()->setMinimumMargins(QMargins(0, 0, 0, 0));
    new PaintedLayer(this, QStringLiteral("axes"), [this](QCPPainter& painter) {
        if (!scene_.tracks.empty()) {
            paintTimeAxis(painter, scene_, layout_);
        }
    });
    new PaintedLayer(this, QStringLiteral("overlay"),
                     [this](QCPPainter& painter) { overlay_.paint(painter, scene_, layout_); });
    connect(this, &QCustomPlot::afterReplot, this, [this] { painted_ = true; });
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumHeight(80);
}

void GanttPlot::setTheme(const Theme& theme) {
    scene_.setTheme(theme);
    setBackground(theme.base);
    repaintAll();
}

void GanttPlot::setTracks(std::vector<GanttTrack> tracks) {
    const bool first = scene_.tracks.empty();
    scene_.tracks = std::move(tracks);
    scene_.setTheme(scene_.theme);
    if (overlay_.hoveredTransfer.isValid()) {
        overlay_.hoveredTransfer = {};
    }
    rebuild();
    // Everything stays where it is, so that an edit can be seen as a change; unless what is shown
    // no longer fits, or little is left of it.
    const double latest = end();
    if (first ||
        (layout_.from() <= 0 && (layout_.to() < latest || latest < kRefitBelow * layout_.to())) ||
        layout_.from() >= latest) {
        fitAll();
    }
}

void GanttPlot::rebuild() {
    for (GanttPlottable* plottable : plottables_) {
        removePlottable(plottable);
    }
    plottables_.clear();
    std::vector<const LaneModel*> lanes;
    for (std::size_t i = 0; i < scene_.tracks.size(); ++i) {
        lanes.push_back(scene_.tracks[i].lanes.get());
        plottables_.push_back(
            new GanttPlottable(xAxis, yAxis, scene_, layout_, static_cast<int>(i)));
    }
    layout_.setChipWidth(std::max(ownAxis().chip, shared_.chip));
    layout_.setTracks(lanes);
    fitLanes();
    repaintAll();
    Q_EMIT layoutChanged();
}

void GanttPlot::fitLanes() {
    GanttMetrics metrics = metrics_;
    metrics.link = scene_.links ? metrics.link : 0;
    layout_.setMetrics(metrics);
    // Where there is room to spare, lanes grow a little, by whole pixels.
    const double fixed = metrics.top + layout_.trackCount() * metrics.title;
    const double lanes = layout_.contentHeight() - fixed;
    const double room = layout_.lanesHeight() - fixed;
    if (lanes > 0 && room > lanes) {
        metrics = metrics.scaled(std::min(room / lanes, kTallestLanes));
        metrics.compute = std::floor(metrics.compute);
        metrics.link = std::floor(metrics.link);
        metrics.gap = std::floor(metrics.gap);
        layout_.setMetrics(metrics);
    }
    layout_.setScroll(std::clamp(layout_.scroll(), 0.0, layout_.maxScroll()));
}

void GanttPlot::repaintAll() {
    xAxis->setRange(layout_.from(), layout_.to());
    painted_ = false;
    if (repaintWaits_) {
        return;
    }
    repaintWaits_ = true;
    QTimer::singleShot(0, this, [this] {
        repaintWaits_ = false;
        // A change of size repaints at once; without any there is nothing to paint on.
        if (!painted_ && !size().isEmpty()) {
            replot(QCustomPlot::rpQueuedRefresh);
        }
    });
}

void GanttPlot::setBound(Time bound) {
    if (scene_.bound != bound) {
        scene_.bound = bound;
        repaintAll();
    }
}

void GanttPlot::setDimmed(bool dimmed) {
    for (GanttTrack& track : scene_.tracks) {
        if (track.dimmed != dimmed) {
            track.dimmed = dimmed;
            repaintAll();
        }
    }
}

void GanttPlot::setCriticalChain(bool shown) {
    if (scene_.criticalChain != shown) {
        scene_.criticalChain = shown;
        repaintAll();
    }
}

void GanttPlot::setLinks(bool shown) {
    if (scene_.links != shown) {
        scene_.links = shown;
        rebuild();
    }
}

void GanttPlot::setMetrics(const GanttMetrics& metrics) {
    metrics_ = metrics;
    rebuild();
}

void GanttPlot::changeOverlay(const std::function<void(GanttOverlay&)>& change) {
    change(overlay_);
    if (!painted_) {
        return; // a full repaint is still to come, and has everything
    }
    layer(QStringLiteral("overlay"))->replot();
}

SharedAxis GanttPlot::ownAxis() const {
    double chip = metrics_.chip;
    for (const DeviceStyle& style : scene_.devices) {
        chip = std::max(chip, chipWidth(style, metrics_.chip));
    }
    return {scene_.end(), chip};
}

void GanttPlot::setSharedAxis(const SharedAxis& axis) {
    if (axis == shared_) {
        return;
    }
    const bool all = layout_.from() <= 0 && layout_.to() >= end();
    shared_ = axis;
    layout_.setChipWidth(std::max(ownAxis().chip, shared_.chip));
    // What was all in sight still is; and no view is left beyond the end.
    setTimeRange(all ? 0 : layout_.from(), all ? fittedEnd() : layout_.to());
}

double GanttPlot::end() const {
    return static_cast<double>(std::max(scene_.end(), shared_.end));
}

double GanttPlot::fittedEnd() const {
    return layout_.fittedEnd(end());
}

void GanttPlot::fitAll() {
    setTimeRange(0, fittedEnd());
}

bool GanttPlot::isFitted() const {
    return layout_.from() == 0 && layout_.to() == fittedEnd();
}

void GanttPlot::setTimeRange(double from, double to) {
    // The view may leave the timeline on the right by half a view, never on the left.
    const double length =
        std::clamp(to - from, kShortestRange, std::max(kShortestRange, 2 * fittedEnd()));
    const double latest = std::max(0.0, end() - length / 2);
    const double start = std::clamp(from, 0.0, latest);
    layout_.setRange(start, start + length);
    repaintAll();
    Q_EMIT layoutChanged();
}

void GanttPlot::fit(const TimeRange& range) {
    const double length = std::max<double>(static_cast<double>(range.to - range.from), 1);
    const double margin = length * kFitMargin;
    setTimeRange(static_cast<double>(range.from) - margin, static_cast<double>(range.to) + margin);
}

void GanttPlot::zoom(double factor, double x) {
    const double centre = layout_.time(std::clamp(x, layout_.lanesLeft(), layout_.lanesRight()));
    const double length = std::clamp((layout_.to() - layout_.from()) / factor, kShortestRange,
                                     std::max(kShortestRange, fittedEnd()));
    const double share = (centre - layout_.from()) / (layout_.to() - layout_.from());
    setTimeRange(centre - share * length, centre + (1 - share) * length);
}

void GanttPlot::pan(double pixels) {
    const double shift = pixels * layout_.map().perPixel;
    setTimeRange(layout_.from() - shift, layout_.to() - shift);
}

void GanttPlot::setScroll(double scroll) {
    const double wanted = std::clamp(scroll, 0.0, layout_.maxScroll());
    if (wanted != layout_.scroll()) {
        layout_.setScroll(wanted);
        repaintAll();
        Q_EMIT layoutChanged();
    }
}

void GanttPlot::reveal(const IntervalRef& ref) {
    if (!ref.isValid()) {
        return;
    }
    const GanttTrack& track = scene_.tracks[static_cast<std::size_t>(ref.track)];
    const sim::Interval& interval = track.interval(ref.interval);
    const auto start = static_cast<double>(interval.start);
    const auto end = static_cast<double>(interval.end);
    const double length = layout_.to() - layout_.from();
    if (end < layout_.from() || start > layout_.to() ||
        (start < layout_.from() && end < layout_.to()) ||
        (end > layout_.to() && start > layout_.from())) {
        const double centre = (start + end) / 2;
        setTimeRange(centre - length / 2, centre + length / 2);
    }
    const QRectF lane = layout_.deviceRect(ref.track, interval.device);
    if (lane.top() < 0) {
        setScroll(layout_.scroll() + lane.top() - layout_.metrics().title);
    } else if (lane.bottom() > layout_.lanesHeight()) {
        setScroll(layout_.scroll() + lane.bottom() - layout_.lanesHeight() + layout_.metrics().gap);
    }
}

IntervalRef GanttPlot::executionOf(OpId op, int track) const {
    if (track < 0 || track >= static_cast<int>(scene_.tracks.size()) || op < 0) {
        return {};
    }
    const auto& executions = scene_.tracks[static_cast<std::size_t>(track)].timeline->executionOf;
    if (op >= static_cast<OpId>(executions.size())) {
        return {};
    }
    return {track, executions[static_cast<std::size_t>(op)]};
}

IntervalRef GanttPlot::intervalAt(const QPointF& point) const {
    const GanttHit hit = layout_.hit(point);
    const bool link = hit.part == GanttHit::Part::Link;
    if (hit.part != GanttHit::Part::Compute && !link) {
        return {};
    }
    const DeviceLane& lane =
        scene_.tracks[static_cast<std::size_t>(hit.track)].lanes->device(hit.device);
    const std::vector<LaneRow>& rows = link ? lane.links : lane.compute;
    if (hit.row >= static_cast<int>(rows.size())) {
        return {};
    }
    const LaneRow& row = rows[static_cast<std::size_t>(hit.row)];
    const double time = layout_.time(point.x());
    const double reach = kNarrowTolerance * layout_.map().perPixel;
    const auto [first, last] = visibleSpans(row, time - reach, time + reach);
    IntervalRef best;
    double bestDistance = reach;
    for (std::size_t i = first; i < last; ++i) {
        const auto start = static_cast<double>(row[i].start);
        const auto end = static_cast<double>(row[i].end);
        const double distance = std::max({start - time, time - end, 0.0});
        if (distance < bestDistance || (distance == 0 && !best.isValid())) {
            best = {hit.track, row[i].interval};
            bestDistance = distance;
        }
    }
    return best;
}

bool GanttPlot::isLong() const {
    constexpr std::size_t kLong = 50'000; // intervals
    return std::any_of(scene_.tracks.begin(), scene_.tracks.end(), [](const GanttTrack& track) {
        return track.timeline && track.timeline->intervals.size() > kLong;
    });
}

void GanttPlot::resizeEvent(QResizeEvent* event) {
    const bool fitted = !scene_.tracks.empty() && isFitted();
    layout_.setSize(event->size().width(), event->size().height());
    fitLanes();
    if (fitted) {
        layout_.setRange(0, fittedEnd());
    }
    if (event->size().isEmpty() || isLong()) {
        setViewport(rect());
        repaintAll(); // once, however often the layout around it changes
    } else {
        QCustomPlot::resizeEvent(event);
    }
    Q_EMIT layoutChanged();
}

} // namespace doppler::views
