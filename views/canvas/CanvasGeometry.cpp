#include "views/canvas/CanvasGeometry.h"

#include <algorithm>

namespace doppler::views {

namespace {

constexpr double kFitMargin = 16;
constexpr double kRevealMargin = 48;
constexpr double kMaxFitZoom = 1.5; // small graphs are not blown up beyond this
constexpr double kMinHitPixels = 10;
constexpr double kLowestZoom = 1e-4;
constexpr double kMinTitlePixels = 7;
constexpr double kMinTogglePixels = 11;
constexpr double kNameLength = 8; // of the name of an expanded group, in heights of its title

// Widths in pixels below which detail is dropped.
constexpr double kSquareWidth = 3;
constexpr double kShapeWidth = 6;
constexpr double kLabelWidth = 14;
constexpr double kFullWidth = 60;

} // namespace

DetailLevel detailForWidth(double width) {
    return width < kSquareWidth  ? DetailLevel::Density
           : width < kShapeWidth ? DetailLevel::Square
           : width < kLabelWidth ? DetailLevel::Shape
           : width <= kFullWidth ? DetailLevel::Label
                                 : DetailLevel::Full;
}

CanvasTransform CanvasTransform::fitting(const QRectF& scene, const QRectF& view, double maxZoom) {
    CanvasTransform transform;
    const double width = std::max(scene.width(), 1.0);
    const double height = std::max(scene.height(), 1.0);
    transform.zoom =
        std::clamp(std::min(view.width() / width, view.height() / height), kLowestZoom, maxZoom);
    transform.offset = view.center() - scene.center() * transform.zoom;
    return transform;
}

void CanvasGeometry::setLayout(std::shared_ptr<const GraphLayout> layout,
                               std::shared_ptr<const FoldedLayout> folds) {
    layout_ = std::move(layout);
    folds_ = std::move(folds);
    grid_ = layout_ ? SpatialGrid(*layout_) : SpatialGrid();
}

void CanvasGeometry::setViewSize(const QSizeF& size) {
    if (size == viewSize_) {
        return;
    }
    const QPointF middle = visibleScene().center();
    viewSize_ = size;
    if (fitted_) {
        fitAll();
    } else {
        transform_.offset = viewRect().center() - middle * transform_.zoom;
        keepInReach();
    }
}

double CanvasGeometry::minZoom() const {
    if (isEmpty()) {
        return 1;
    }
    // Half of what shows everything, so that the whole can always be seen with room around it.
    return std::min(1.0, CanvasTransform::fitting(layout_->bounds, viewRect()).zoom / 2);
}

void CanvasGeometry::zoomAt(const QPointF& viewPoint, double factor) {
    const QPointF scene = transform_.toScene(viewPoint);
    transform_.zoom = std::clamp(transform_.zoom * factor, minZoom(), kMaxZoom);
    transform_.offset = viewPoint - scene * transform_.zoom;
    fitted_ = false;
    keepInReach();
}

void CanvasGeometry::setZoom(double zoom) {
    zoomAt(viewRect().center(), zoom / transform_.zoom);
}

void CanvasGeometry::panBy(const QPointF& viewDelta) {
    transform_.offset += viewDelta;
    fitted_ = false;
    keepInReach();
}

void CanvasGeometry::centreOn(const QPointF& scene) {
    transform_.offset = viewRect().center() - scene * transform_.zoom;
    fitted_ = false;
    keepInReach();
}

void CanvasGeometry::fitAll() {
    fitted_ = true;
    if (isEmpty() || viewSize_.isEmpty()) {
        return;
    }
    const QRectF view = viewRect()
                            .marginsRemoved(fitMargins_)
                            .adjusted(kFitMargin, kFitMargin, -kFitMargin, -kFitMargin);
    transform_ = CanvasTransform::fitting(layout_->bounds, view, kMaxFitZoom);
}

void CanvasGeometry::fit(const std::set<OpId>& ops) {
    if (isEmpty() || ops.empty()) {
        fitAll();
        return;
    }
    QRectF area;
    for (const OpId op : ops) {
        area |= standInRect(op);
    }
    const double margin = kRevealMargin;
    transform_ = CanvasTransform::fitting(
        area, viewRect().adjusted(margin, margin, -margin, -margin), kMaxFitZoom);
    fitted_ = false;
}

void CanvasGeometry::reveal(OpId op) {
    reveal(standInRect(op));
}

void CanvasGeometry::reveal(const QRectF& scene) {
    QRectF node = transform_.toView(scene);
    const double marginX = std::min(kRevealMargin, viewSize_.width() / 4);
    const double marginY = std::min(kRevealMargin, viewSize_.height() / 4);
    const QRectF room = viewRect().adjusted(marginX, marginY, -marginX, -marginY);
    if (viewRect().contains(node)) {
        return;
    }
    node.setSize(node.size().boundedTo(room.size())); // of what is larger, the beginning
    QPointF delta;
    delta.setX(std::max(0.0, room.left() - node.left()) +
               std::min(0.0, room.right() - node.right()));
    delta.setY(std::max(0.0, room.top() - node.top()) +
               std::min(0.0, room.bottom() - node.bottom()));
    panBy(delta);
}

void CanvasGeometry::revealAll() {
    const QRectF room = viewRect().marginsRemoved(fitMargins_);
    const QRectF drawing = transform_.toView(layout_->bounds);
    if (drawing.width() > room.width() || drawing.height() > room.height()) {
        return;
    }
    panBy({std::max(0.0, room.left() - drawing.left()) +
               std::min(0.0, room.right() - drawing.right()),
           std::max(0.0, room.top() - drawing.top()) +
               std::min(0.0, room.bottom() - drawing.bottom())});
}

// Some of the drawing always stays in view, so that nobody gets lost in empty space.
void CanvasGeometry::keepInReach() {
    if (isEmpty()) {
        return;
    }
    const QRectF drawing = transform_.toView(layout_->bounds);
    const double keepX = std::min(viewSize_.width() / 4, drawing.width());
    const double keepY = std::min(viewSize_.height() / 4, drawing.height());
    transform_.offset += QPointF(std::max(0.0, keepX - drawing.right()) +
                                     std::min(0.0, viewSize_.width() - keepX - drawing.left()),
                                 std::max(0.0, keepY - drawing.bottom()) +
                                     std::min(0.0, viewSize_.height() - keepY - drawing.top()));
}

OpId CanvasGeometry::opAt(const QPointF& viewPoint) const {
    if (isEmpty()) {
        return kNoOp;
    }
    const QPointF point = transform_.toScene(viewPoint);
    const double reachX = std::max(kNodeWidth, kMinHitPixels / transform_.zoom) / 2;
    const double reachY = std::max(kNodeHeight, kMinHitPixels / transform_.zoom) / 2;
    OpId best = kNoOp;
    double bestDistance = 0;
    for (const OpId op :
         grid_.near(QRectF(point - QPointF(reachX, reachY), QSizeF(2 * reachX, 2 * reachY)))) {
        if (isHidden(op)) {
            continue;
        }
        const QPointF delta = layout_->centre(op) - point;
        if (std::abs(delta.x()) > reachX || std::abs(delta.y()) > reachY) {
            continue;
        }
        const double distance = QPointF::dotProduct(delta, delta);
        if (best == kNoOp || distance < bestDistance) {
            best = op;
            bestDistance = distance;
        }
    }
    return best;
}

template <typename Wanted>
void CanvasGeometry::addBoxes(std::set<OpId>& found, const Wanted& wanted) const {
    if (!folds_) {
        return;
    }
    for (const GroupBox& box : folds_->boxes) {
        if (box.collapsed && wanted(box.rect)) {
            const std::vector<OpId> ops = folds_->fold->tree().opsOf(box.group);
            found.insert(ops.begin(), ops.end());
        }
    }
}

std::set<OpId> CanvasGeometry::opsIn(const QRectF& viewRect) const {
    std::set<OpId> found;
    if (isEmpty()) {
        return found;
    }
    const QRectF area = transform_.toScene(viewRect.normalized());
    for (const OpId op : grid_.near(area)) {
        if (!isHidden(op) && layout_->nodeRect(op).intersects(area)) {
            found.insert(op);
        }
    }
    addBoxes(found, [&](const QRectF& box) { return box.intersects(area); });
    return found;
}

/// About where the name of an expanded group is written: a long frame keeps it in sight.
QRectF CanvasGeometry::nameRect(const GroupBox& box) const {
    QRectF name = box.titleRect();
    name.setLeft(std::clamp(visibleScene().left(), name.left(), name.right()));
    name.setWidth(std::min(name.width(), kNameLength * kFrameTitle));
    return name;
}

std::size_t CanvasGeometry::countIn(const QRectF& viewRect) const {
    if (isEmpty()) {
        return 0;
    }
    const QRectF area = transform_.toScene(viewRect.normalized());
    const std::vector<OpId> ops = grid_.near(area);
    auto count = static_cast<std::size_t>(std::count_if(ops.begin(), ops.end(), [&](OpId op) {
        return !isHidden(op) && layout_->nodeRect(op).intersects(area);
    }));
    if (folds_) {
        for (const GroupBox& box : folds_->boxes) {
            count += (box.collapsed ? box.rect : nameRect(box)).intersects(area) ? 1 : 0;
        }
    }
    return count;
}

std::int32_t CanvasGeometry::boxAt(const QPointF& viewPoint) const {
    if (!folds_) {
        return -1;
    }
    const QPointF point = transform_.toScene(viewPoint);
    for (std::size_t i = folds_->boxes.size(); i-- > 0;) { // inner ones first
        const GroupBox& box = folds_->boxes[i];
        const bool visible = box.collapsed || kFrameTitle * transform_.zoom >= kMinTitlePixels;
        if (visible && (box.collapsed ? box.rect : box.titleRect()).contains(point)) {
            return static_cast<std::int32_t>(i);
        }
    }
    return -1;
}

QRectF CanvasGeometry::toggleInView(std::int32_t box) const {
    const QRectF rect = boxInView(box);
    const double side = kFrameTitle * transform_.zoom;
    if (side < kMinTogglePixels || rect.width() < 3 * side) {
        return {};
    }
    return {rect.topLeft(), QSizeF(side, side)};
}

std::int32_t CanvasGeometry::toggleAt(const QPointF& viewPoint) const {
    const std::int32_t box = boxAt(viewPoint);
    return box >= 0 && toggleInView(box).contains(viewPoint) ? box : -1;
}

std::set<OpId> CanvasGeometry::opsIn(const QPolygonF& viewOutline) const {
    std::set<OpId> found;
    if (isEmpty() || viewOutline.size() < 3) {
        return found;
    }
    QPolygonF outline;
    for (const QPointF& point : viewOutline) {
        outline << transform_.toScene(point);
    }
    for (const OpId op : grid_.near(outline.boundingRect())) {
        if (!isHidden(op) && outline.containsPoint(layout_->centre(op), Qt::OddEvenFill)) {
            found.insert(op);
        }
    }
    addBoxes(found, [&](const QRectF& box) {
        return outline.containsPoint(box.center(), Qt::OddEvenFill);
    });
    return found;
}

} // namespace doppler::views
