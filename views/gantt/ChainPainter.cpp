#include <algorithm>
#include <cmath>
#include <map>

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

    /// A place where ops run one after the other.
    struct Lane {
        DeviceId device = kNoDevice;
        bool transfers = false;
        int row = 0;
        auto operator<=>(const Lane&) const = default;
    };

    /// The next link of the chain, in order of time.
    void add(const QRectF& rect, const Lane& lane) {
        const bool narrow = rect.width() < kNarrow;
        Block& block = blocks_[lane];
        if (last_ != nullptr && last_ != &block) {
            connect(last_->rect, rect);
        }
        // Also over links in other lanes: a chain that changes lanes at every step would be
        // thousands of outlines.
        if (!block.rect.isNull() && narrow && block.narrow &&
            rect.left() - block.rect.right() < kNarrow) {
            block.rect = block.rect.united(rect);
        } else {
            draw(block);
            block = {rect, narrow};
        }
        last_ = &block;
    }

    void flush() {
        for (const auto& [lane, block] : blocks_) {
            draw(block);
        }
        blocks_.clear();
        last_ = nullptr;
    }

private:
    /// Links in one lane that are too narrow to be told apart, or one wide link.
    struct Block {
        QRectF rect;
        bool narrow = false;
    };

    void draw(const Block& block) {
        if (!block.rect.isNull()) {
            painter_.setPen(QPen(ink_, outline_, Qt::SolidLine, Qt::SquareCap, Qt::RoundJoin));
            painter_.drawRoundedRect(block.rect, 2, 2);
        }
    }

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
    std::map<Lane, Block> blocks_;
    Block* last_ = nullptr; // of the link before: a map keeps its entries in place
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
        chain.add(geometry.intervalRect(track, interval, row),
                  {interval.device, interval.isTransfer(), row});
    }
    chain.flush();
}

} // namespace doppler::views
