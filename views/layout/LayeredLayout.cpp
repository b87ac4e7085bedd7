#include "views/layout/LayeredLayout.h"

#include <algorithm>
#include <cmath>

#include "views/layout/BandRoutes.h"
#include "views/layout/Layering.h"

namespace doppler::views {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// From levels and positions across to places and curves. Works in coordinates across (x) and
/// along (y); drawings that run to the right are turned at the end.
class LayeredDrawing {
public:
    LayeredDrawing(const graph::Graph& graph, const LayoutShape& shape, const Layering& layering)
        : graph_(graph), shape_(shape), layering_(layering) {}

    GraphLayout draw() {
        layout_.leftToRight = shape_.leftToRight;
        layout_.centres.resize(at(graph_.opCount()));
        placeLevels();
        stackBands();
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            layout_.centres[at(op)] = turned(centre(op));
        }
        layout_.curveBegin.reserve(at(graph_.edgeCount()) + 1);
        BandRoutes routes(graph_, shape_, layering_, bands_, levels_);
        for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
            if (band(graph_.source(edge)) != band(graph_.target(edge))) {
                for (const QPointF& point :
                     routes.curve(edge, centre(graph_.source(edge)), centre(graph_.target(edge)))) {
                    layout_.curvePoints.push_back(turned(point));
                }
            } else {
                appendCurve(edge);
            }
            layout_.curveBegin.push_back(static_cast<std::uint32_t>(layout_.curvePoints.size()));
        }
        layout_.updateBounds();
        return std::move(layout_);
    }

private:
    QPointF turned(const QPointF& p) const {
        return shape_.leftToRight ? QPointF(p.y(), p.x()) : p;
    }
    int band(OpId op) const { return shape_.bandOf(layering_.level(op)); }
    QPointF centre(OpId op) const { return {across_[at(op)], along_[at(op)]}; }
    double bandShift(int level) const { return bands_[at(shape_.bandOf(level))].shift; }

    void placeLevels() {
        levels_.resize(at(shape_.depth));
        along_.resize(at(graph_.opCount()));
        double along = 0;
        for (int level = 0; level < shape_.depth; ++level) {
            if (std::binary_search(shape_.bands.begin(), shape_.bands.end(), level)) {
                along = 0; // a new band begins at the left
            }
            double widest = 0;
            for (const Layering::Vertex v : layering_.order(level)) {
                widest = layering_.isOp(v) ? std::max(widest, layering_.extentAlong(v)) : widest;
            }
            const int rows = layering_.rows(level);
            const double extent = rows * (widest + kNodeGap) - kNodeGap;
            int index = 0;
            for (const Layering::Vertex v : layering_.order(level)) {
                if (layering_.isOp(v)) {
                    const int row = index++ % rows;
                    along_[at(v)] = along + widest / 2 + row * (widest + kNodeGap);
                }
            }
            levels_[at(level)] = {along, along + extent};
            along += extent + shape_.levelGap;
        }
    }

    /// Bands one after the other across, with room for the edges that run between them.
    void stackBands() {
        bands_.assign(shape_.bands.size(), {});
        for (int level = 0; level < shape_.depth; ++level) {
            BandExtent& band = bands_[at(shape_.bandOf(level))];
            for (const Layering::Vertex v : layering_.order(level)) {
                const double half = layering_.isOp(v) ? layering_.extentAcross(v) / 2 : 0;
                band.begin = std::min(band.begin, layering_.across(v) - half);
                band.end = std::max(band.end, layering_.across(v) + half);
            }
        }
        const std::vector<int> tracks = BandRoutes::tracksAfter(graph_, shape_, layering_);
        double place = 0;
        for (std::size_t i = 0; i < bands_.size(); ++i) {
            BandExtent& band = bands_[i];
            // A strip that is not folded stays where it is.
            band.shift = bands_.size() > 1 ? place - band.begin : 0;
            band.begin += band.shift;
            band.end += band.shift;
            band.gapAfter = kBandGap + BandRoutes::channelWidth(tracks[i]);
            place = band.end + band.gapAfter;
        }
        across_.resize(at(graph_.opCount()));
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            across_[at(op)] = layering_.across(op) + bandShift(layering_.level(op));
        }
    }

    /// A smooth curve through the bends (cubic Hermite pieces with slopes that never overshoot).
    void appendCurve(EdgeId edge) {
        const OpId from = graph_.source(edge);
        const OpId to = graph_.target(edge);
        std::vector<QPointF> knots{centre(from) + QPointF(0, layering_.extentAlong(from) / 2)};
        if (const Layering::Vertex first = layering_.firstBend(edge); first >= 0) {
            const int begin = layering_.level(from) + 1;
            for (int level = begin; level < layering_.level(to); ++level) {
                // Straight past the nodes of the level, bending in the gaps.
                knots.emplace_back(layering_.across(first + level - begin) + bandShift(level),
                                   (levels_[at(level)].begin + levels_[at(level)].end) / 2);
            }
        }
        knots.push_back(centre(to) - QPointF(0, layering_.extentAlong(to) / 2));

        const auto slope = [&](std::size_t a, std::size_t b) {
            return (knots[b].x() - knots[a].x()) / std::max(1.0, knots[b].y() - knots[a].y());
        };
        const auto tangent = [&](std::size_t i) {
            if (i == 0) {
                return slope(0, 1);
            }
            if (i + 1 == knots.size()) {
                return slope(i - 1, i);
            }
            const double before = slope(i - 1, i);
            const double after = slope(i, i + 1);
            return before * after <= 0
                       ? 0.0
                       : std::copysign(std::min(std::abs(before), std::abs(after)), before);
        };
        std::vector<QPointF>& points = layout_.curvePoints;
        points.push_back(turned(knots[0]));
        for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
            const double third = (knots[i + 1].y() - knots[i].y()) / 3;
            points.push_back(turned(knots[i] + QPointF(tangent(i) * third, third)));
            points.push_back(turned(knots[i + 1] - QPointF(tangent(i + 1) * third, third)));
            points.push_back(turned(knots[i + 1]));
        }
    }

    const graph::Graph& graph_;
    const LayoutShape& shape_;
    const Layering& layering_;
    GraphLayout layout_;
    std::vector<LevelExtent> levels_;
    std::vector<BandExtent> bands_;
    std::vector<double> along_;  // by op: centre
    std::vector<double> across_; // by op: centre
};

} // namespace

std::shared_ptr<const GraphLayout>
layeredLayout(const graph::Graph& graph, const std::stop_token& stop, const LayoutWish& wish) {
    const LayoutShape shape = layoutShape(graph, wish);
    Layering layering(graph, shape, wish);
    if (!layering.arrange(stop)) {
        return nullptr;
    }
    return std::make_shared<const GraphLayout>(LayeredDrawing(graph, shape, layering).draw());
}

} // namespace doppler::views
