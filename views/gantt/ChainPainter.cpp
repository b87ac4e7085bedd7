#include <algorithm>
#include <cmath>

#include "views/gantt/GanttPainter.h"

namespace doppler::views {

namespace {

constexpr double kOutline = 2;
constexpr double kConnector = 1.8;
// A chain of many short links would be nothing but ink: its strokes are thinner.
constexpr double kCrowded = 12; // pixels a link
constexpr double kCrowdedStroke = 1;
constexpr double kNarrow = 5; // an outline of its own needs more than this

class ChainPainter {
public:
    ChainPainter(QPainter& painter, const QColor& ink, bool crowded)
        : painter_(painter)
        , ink_(ink)
        , outline_(crowded ? kCrowdedStroke : kOutline)
        , connector_(crowded ? kCrowdedStroke : kConnector) {
        painter_.setRenderHint(QPainter::Antialiasing);
        painter_.setBrush(Qt::NoBrush);
    }

    /// The next link of the chain, in order of time. `joins`: in the same lane as the one before.
    void add(const QRectF& rect, bool joins) {
        const bool narrow = rect.width() < kNarrow;
        if (joins && narrow && blockNarrow_ && rect.left() - block_.right() < kNarrow) {
            block_ = block_.united(rect);
            return;
        }
        const QRectF before = block_;
        const bool first = empty_;
        flush();
        if (!first && !joins) {
            connect(before, rect);
        }
        block_ = rect;
        blockNarrow_ = narrow;
        empty_ = false;
    }

    void flush() {
        if (empty_) {
            return;
        }
        painter_.setPen(QPen(ink_, outline_, Qt::SolidLine, Qt::SquareCap, Qt::RoundJoin));
        painter_.drawRoundedRect(block_, 2, 2);
        empty_ = true;
    }

private:
    void connect(const QRectF& from, const QRectF& to) {
        // A chain that changes lanes within a few pixels is one stroke, not a scribble.
        const bool crowded = from.width() < kNarrow && to.width() < kNarrow &&
                             std::fabs(to.left() - lastConnector_) < kNarrow;
        if (crowded) {
            return;
        }
        lastConnector_ = to.left();
        painter_.setPen(QPen(ink_, connector_, Qt::SolidLine, Qt::FlatCap));
        const bool down = to.center().y() > from.center().y();
        const double y = down ? from.bottom() : from.top();
        const double x = to.left();
        if (std::fabs(x - from.right()) > 1) {
            const double middle = from.center().y();
            painter_.drawLine(QPointF(from.right(), middle), QPointF(x, middle));
            painter_.drawLine(QPointF(x, middle), QPointF(x, down ? to.top() : to.bottom()));
        } else {
            painter_.drawLine(QPointF(x, y), QPointF(x, down ? to.top() : to.bottom()));
        }
    }

    QPainter& painter_;
    QColor ink_;
    double outline_;
    double connector_;
    QRectF block_;
    bool blockNarrow_ = false;
    bool empty_ = true;
    double lastConnector_ = -1e9;
};

} // namespace

void paintCriticalChain(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry,
                        int track) {
    const GanttTrack& source = scene.tracks[static_cast<std::size_t>(track)];
    const std::vector<std::int32_t>& links = source.report->criticalChain;
    const double length = geometry.map().perPixel * static_cast<double>(links.size());
    const bool crowded = static_cast<double>(source.timeline->makespan) < kCrowded * length;
    ChainPainter chain(painter, scene.theme.ink, crowded);
    const sim::Interval* before = nullptr;
    int rowBefore = -1;
    for (const std::int32_t index : links) {
        const sim::Interval& interval = source.interval(index);
        if (interval.isTransfer() && geometry.metrics().link <= 0) {
            continue; // links are hidden: the connector goes straight to the consumer
        }
        if (static_cast<double>(interval.end) < geometry.from()) {
            continue;
        }
        if (static_cast<double>(interval.start) > geometry.to()) {
            break;
        }
        const int row = source.lanes->rowOf(index);
        const bool sameLane = before != nullptr && before->device == interval.device &&
                              before->isTransfer() == interval.isTransfer() && rowBefore == row;
        chain.add(geometry.intervalRect(track, interval, row), sameLane);
        before = &interval;
        rowBefore = row;
    }
    chain.flush();
}

} // namespace doppler::views
