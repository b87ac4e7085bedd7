#include "views/canvas/EdgePainter.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <map>

#include "views/canvas/LineRaster.h"
#include "views/canvas/NodeShape.h"

namespace doppler::views {

namespace {

constexpr double kLocalWidth = 1.2;
constexpr double kCrossWidth = 1.5;
constexpr double kCriticalWidth = 3;
constexpr double kUnderlayWidth = 5;
constexpr double kUnderlayShare = 0.35;
constexpr double kFaintShare = 0.3; // an end is outside the filter
constexpr double kDash = 5;
constexpr double kDashGap = 3;
constexpr double kArrowLength = 7;
constexpr double kArrowHalfWidth = 3;
constexpr std::size_t kMaxEdges = 20'000;
/// From this many edges in view on, they are drawn the fast way.
constexpr std::size_t kManyEdges = 1'500;
/// From this many on, they need not be smooth.
constexpr std::size_t kThicket = 8'000;
constexpr double kTraceStep = 12; // pixels of a curve that are drawn straight
constexpr int kMaxTraceSteps = 16;
constexpr std::size_t kMaxUnderlays = 5'000;

/// How strong edges are at a level of detail: many thin lines would hide the nodes.
double strength(DetailLevel detail) {
    switch (detail) {
    case DetailLevel::Density:
        return 0.3;
    case DetailLevel::Square:
        return 0.5;
    case DetailLevel::Shape:
        return 0.9;
    default:
        return 1;
    }
}

/// The same, less where edges are so many that they would cover everything.
double crowdedStrength(DetailLevel detail, std::size_t edges) {
    const double crowd = static_cast<double>(edges) / static_cast<double>(kMaxEdges);
    return strength(detail) * (1 - 0.45 * std::min(crowd, 1.0));
}

void traceCurve(LineRaster& raster, std::span<const QPointF> curve,
                const CanvasTransform& transform) {
    raster.moveTo(transform.toView(curve[0]));
    for (std::size_t i = 0; i + 3 < curve.size(); i += 3) {
        const QPointF p0 = transform.toView(curve[i]), p1 = transform.toView(curve[i + 1]);
        const QPointF p2 = transform.toView(curve[i + 2]), p3 = transform.toView(curve[i + 3]);
        // As many straight parts as its length and its bend ask for.
        const double length = (p3 - p0).manhattanLength();
        const double bend =
            (p0 - 2 * p1 + p2).manhattanLength() + (p1 - 2 * p2 + p3).manhattanLength();
        const int steps =
            bend < 1 ? 1 : std::clamp(static_cast<int>(length / kTraceStep), 1, kMaxTraceSteps);
        for (int step = 1; step <= steps; ++step) {
            const double t = static_cast<double>(step) / steps;
            const double u = 1 - t;
            raster.lineTo(u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 +
                          t * t * t * p3);
        }
    }
}

/// The picture that the painter draws on, if lines may go straight into its pixels: all of it is
/// the view, and nothing is moved or scaled.
QImage* imageUnder(const QPainter& painter, const QRectF& viewRect, const QSize& pixels) {
    if (painter.device()->devType() != QInternal::Image || painter.hasClipping() ||
        !painter.worldTransform().isIdentity() || !viewRect.topLeft().isNull()) {
        return nullptr;
    }
    auto* image = static_cast<QImage*>(painter.device());
    const bool fits =
        image->size() == pixels && (image->format() == QImage::Format_RGB32 ||
                                    image->format() == QImage::Format_ARGB32_Premultiplied);
    return fits ? image : nullptr;
}

/// The colours of thin lines, worked out once.
class LinePens {
public:
    LinePens(const CanvasScene& scene, const Theme& theme, double share) {
        for (DeviceId device = kNoDevice; device < scene.problem->deviceCount(); ++device) {
            const QColor plain = device == kNoDevice ? theme.edge : theme.device(device).line;
            colours_.push_back(theme.mixed(plain, share).rgb());
            colours_.push_back(theme.mixed(plain, share * kFaintShare).rgb());
        }
    }

    /// kNoDevice: an edge within a device.
    QRgb colour(DeviceId device, bool faint) const {
        return colours_[static_cast<std::size_t>(2 * (device + 1) + (faint ? 1 : 0))];
    }

private:
    std::vector<QRgb> colours_;
};

/// The curve, led on to the outlines of its nodes where they are narrower than their boxes.
void appendCurve(QPainterPath& path, const CanvasScene& scene, EdgeId edge,
                 const CanvasTransform& transform, QPointF* tip = nullptr) {
    const std::span<const QPointF> curve = scene.layout->curve(edge);
    const auto touch = [&](OpId op, const QPointF& border) {
        return transform.toView(
            touchPoint(graph::family(scene.graph().kind(op)), scene.layout->nodeRect(op), border));
    };
    path.moveTo(touch(scene.graph().source(edge), curve[0]));
    path.lineTo(transform.toView(curve[0]));
    for (std::size_t i = 1; i + 2 < curve.size(); i += 3) {
        path.cubicTo(transform.toView(curve[i]), transform.toView(curve[i + 1]),
                     transform.toView(curve[i + 2]));
    }
    const QPointF end = touch(scene.graph().target(edge), curve.back());
    path.lineTo(end);
    if (tip) {
        *tip = end;
    }
}

void appendArrow(QPainterPath& path, std::span<const QPointF> curve, const QPointF& tip,
                 const CanvasTransform& transform, double scale) {
    // The direction of arrival; control points may coincide with the end.
    QPointF back = tip;
    for (std::size_t i = curve.size(); i-- > 0;) {
        back = transform.toView(curve[i]);
        if (std::hypot(tip.x() - back.x(), tip.y() - back.y()) > 1) {
            break;
        }
    }
    const double length = std::hypot(tip.x() - back.x(), tip.y() - back.y());
    if (length < 1e-6) {
        return;
    }
    const QPointF along = (tip - back) / length;
    const QPointF side(-along.y() * kArrowHalfWidth * scale, along.x() * kArrowHalfWidth * scale);
    const QPointF base = tip - along * kArrowLength * scale;
    path.moveTo(tip);
    path.lineTo(base + side);
    path.lineTo(base - side);
    path.closeSubpath();
}

} // namespace

/// Edges that share a pen.
struct EdgePainter::Batches {
    struct Key {
        int order; // drawn ascending: faint, local, crossing, critical
        DeviceId device;
        bool faint;
        auto operator<=>(const Key&) const = default;
    };

    static Key keyOf(const EdgePainter& painter, EdgeId edge, const CanvasMarks& marks) {
        const graph::Graph& graph = painter.scene_.graph();
        const OpId source = graph.source(edge);
        const bool faint = marks.isOutside(source) || marks.isOutside(graph.target(edge));
        if (painter.critical_.edge(edge)) {
            return {faint ? 0 : 3, kNoDevice, faint};
        }
        if (painter.scene_.crossesDevices(edge)) {
            return {faint ? 0 : 2, painter.scene_.device(source), faint};
        }
        return {faint ? 0 : 1, kNoDevice, faint};
    }

    static QColor colour(const EdgePainter& painter, const Key& key, bool critical) {
        const QColor plain = critical                  ? painter.theme_.ink
                             : key.device != kNoDevice ? painter.theme_.device(key.device).line
                                                       : painter.theme_.edge;
        return key.faint ? painter.theme_.mixed(plain, kFaintShare) : plain;
    }
};

EdgePainter::EdgePainter(const CanvasScene& scene, const CriticalParts& critical,
                         const Theme& theme, bool quick)
    : scene_(scene), critical_(critical), theme_(theme), quick_(quick) {}

std::vector<EdgeId> EdgePainter::edgesInView(const CanvasTransform& transform,
                                             const QRectF& viewRect) const {
    const GraphLayout& layout = *scene_.layout;
    const QRectF area = transform.toScene(viewRect);
    const bool all = area.contains(layout.bounds);
    std::vector<EdgeId> edges;
    edges.reserve(static_cast<std::size_t>(layout.edgeCount()));
    for (EdgeId edge = 0; edge < layout.edgeCount(); ++edge) {
        if (layout.curve(edge).empty()) {
            continue; // an end is in a collapsed group
        }
        if (!all) {
            double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
            for (const QPointF& point : layout.curve(edge)) {
                left = std::min(left, point.x());
                right = std::max(right, point.x());
                top = std::min(top, point.y());
                bottom = std::max(bottom, point.y());
            }
            if (left > area.right() || right < area.left() || top > area.bottom() ||
                bottom < area.top()) {
                continue;
            }
        }
        edges.push_back(edge);
    }
    return edges;
}

EdgeOmission EdgePainter::thin(std::vector<EdgeId>& edges) const {
    const bool tooMany = edges.size() > kMaxEdges;
    if (!tooMany && !scene_.crossDeviceOnly) {
        return EdgeOmission::None;
    }
    if (scene_.assignment) {
        std::erase_if(edges, [this](EdgeId edge) {
            return !scene_.crossesDevices(edge) && !critical_.edge(edge);
        });
    }
    if (edges.size() <= kMaxEdges) {
        return EdgeOmission::Local;
    }
    // Every k-th of the rest still shows where they run.
    const std::size_t step = edges.size() / kMaxEdges + 1;
    std::size_t index = 0;
    std::erase_if(edges, [&](EdgeId edge) { return index++ % step != 0 && !critical_.edge(edge); });
    return EdgeOmission::Thinned;
}

EdgeOmission EdgePainter::paint(QPainter& painter, const CanvasTransform& transform,
                                const QRectF& viewRect, const CanvasMarks& marks) const {
    std::vector<EdgeId> edges = edgesInView(transform, viewRect);
    const EdgeOmission omission = thin(edges);
    if (quick_ && (transform.detail() <= DetailLevel::Square || edges.size() > kManyEdges)) {
        paintLines(painter, transform, viewRect, edges, marks);
    } else {
        paintCurves(painter, transform, edges, marks);
    }
    return omission;
}

// Thin lines the fast way; arrows are too small to see or too many to tell apart.
void EdgePainter::paintLines(QPainter& painter, const CanvasTransform& transform,
                             const QRectF& viewRect, const std::vector<EdgeId>& edges,
                             const CanvasMarks& marks) const {
    const DetailLevel detail = transform.detail();
    const double ratio = painter.device()->devicePixelRatioF();
    const QSize pixels = (viewRect.size() * ratio).toSize().expandedTo({2, 2});
    QImage overlay;
    QImage* target = imageUnder(painter, viewRect, pixels);
    if (target == nullptr) {
        overlay = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
        overlay.fill(Qt::transparent);
        target = &overlay;
    }
    LineRaster raster(*target, edges.size() <= kThicket);
    const CanvasTransform toPixels{transform.zoom * ratio,
                                   (transform.offset - viewRect.topLeft()) * ratio};
    const LinePens pens(scene_, theme_, crowdedStrength(detail, edges.size()));
    std::vector<EdgeId> critical;
    for (const bool crossing : {false, true}) { // local edges first, those that cross above them
        for (const EdgeId edge : edges) {
            if (scene_.crossesDevices(edge) != crossing) {
                continue;
            }
            if (critical_.edge(edge)) {
                critical.push_back(edge);
                continue;
            }
            const OpId source = scene_.graph().source(edge);
            const bool faint =
                marks.isOutside(source) || marks.isOutside(scene_.graph().target(edge));
            raster.setPen(pens.colour(crossing ? scene_.device(source) : kNoDevice, faint),
                          crossing && detail >= DetailLevel::Shape);
            traceCurve(raster, scene_.layout->curve(edge), toPixels);
        }
    }
    if (!overlay.isNull()) {
        overlay.setDevicePixelRatio(ratio);
        painter.drawImage(viewRect.topLeft(), overlay);
    }
    paintCurves(painter, transform, critical, marks);
}

void EdgePainter::paintCurves(QPainter& painter, const CanvasTransform& transform,
                              const std::vector<EdgeId>& edges, const CanvasMarks& marks) const {
    struct Paths {
        QPainterPath curves;
        QPainterPath arrows;
    };
    const double scale = std::clamp(0.4 + 0.65 * transform.zoom, 0.5, 1.0);
    std::map<Batches::Key, Paths> batches;
    for (const EdgeId edge : edges) {
        const std::span<const QPointF> curve = scene_.layout->curve(edge);
        if (curve.size() < 4) {
            continue;
        }
        const Batches::Key key = Batches::keyOf(*this, edge, marks);
        Paths& paths = batches[key];
        QPointF tip;
        appendCurve(paths.curves, scene_, edge, transform, &tip);
        if (key.device != kNoDevice || key.order == 3) {
            appendArrow(paths.arrows, curve, tip, transform, key.order == 3 ? 1.3 * scale : scale);
        }
    }
    const double share = strength(transform.detail());
    for (const auto& [key, paths] : batches) {
        const bool critical = key.order == 3;
        const QColor plain = Batches::colour(*this, key, critical);
        const QColor colour = critical ? plain : theme_.mixed(plain, share);
        const double width = (critical                  ? kCriticalWidth
                              : key.device != kNoDevice ? kCrossWidth
                                                        : kLocalWidth) *
                             scale;
        QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
        if (key.device != kNoDevice) {
            pen.setDashPattern({kDash / width * scale, kDashGap / width * scale});
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(pen);
        painter.drawPath(paths.curves);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPath(paths.arrows);
    }
}

std::vector<EdgeId> EdgePainter::edgesOfSelection(const CanvasMarks& marks) const {
    const graph::Graph& graph = scene_.graph();
    std::vector<EdgeId> edges;
    for (const OpId op : marks.selected) {
        if (op >= graph.opCount() || edges.size() > kMaxUnderlays) {
            break;
        }
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            edges.push_back(edge);
        }
        for (const EdgeId edge : graph.inEdges(op)) {
            if (marks.selected.count(graph.source(edge)) == 0) {
                edges.push_back(edge);
            }
        }
    }
    return edges;
}

void EdgePainter::paintUnderlay(QPainter& painter, const CanvasTransform& transform,
                                const CanvasMarks& marks) const {
    QPainterPath path;
    for (const EdgeId edge : edgesOfSelection(marks)) {
        if (scene_.layout->curve(edge).size() >= 4) {
            appendCurve(path, scene_, edge, transform);
        }
    }
    const double width = kUnderlayWidth * std::clamp(transform.zoom, 0.6, 1.0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme_.mixed(theme_.accent, kUnderlayShare), width, Qt::SolidLine,
                        Qt::FlatCap, Qt::RoundJoin));
    painter.drawPath(path);
}

void EdgePainter::paintSelected(QPainter& painter, const CanvasTransform& transform,
                                const CanvasMarks& marks) const {
    paintCurves(painter, transform, edgesOfSelection(marks), marks);
}

} // namespace doppler::views
