#pragma once

#include <QMarginsF>
#include <QPolygonF>
#include <QSizeF>
#include <memory>
#include <set>

#include "views/canvas/SpatialGrid.h"

namespace doppler::views {

/// How much of a node is drawn at a zoom.
enum class DetailLevel : std::uint8_t {
    Density, ///< a picture of how many nodes of which colour are where
    Square,  ///< plain squares
    Shape,   ///< shapes without text
    Label,   ///< id and device tag
    Full,    ///< name and time as well
};

/// Detail for nodes `width` pixels wide.
DetailLevel detailForWidth(double width);

/// Scene to view: the same scale both ways, and an offset.
struct CanvasTransform {
    double zoom = 1; ///< view pixels per scene unit
    QPointF offset;  ///< view position of the scene's origin

    QPointF toView(const QPointF& scene) const { return scene * zoom + offset; }
    QRectF toView(const QRectF& scene) const {
        return {toView(scene.topLeft()), scene.size() * zoom};
    }
    QPointF toScene(const QPointF& view) const { return (view - offset) / zoom; }
    QRectF toScene(const QRectF& view) const {
        return {toScene(view.topLeft()), view.size() / zoom};
    }
    double nodeWidth() const { return kNodeWidth * zoom; }
    DetailLevel detail() const { return detailForWidth(nodeWidth()); }

    /// Shows all of `scene` centred in `view`, no larger than `maxZoom`.
    static CanvasTransform fitting(const QRectF& scene, const QRectF& view, double maxZoom = 1);

    bool operator==(const CanvasTransform&) const = default;
};

/// Where things are on the canvas: layout, zoom and pan, and what lies under a point. No widget.
class CanvasGeometry {
public:
    void setLayout(std::shared_ptr<const GraphLayout> layout);
    void setViewSize(const QSizeF& size);
    const GraphLayout* layout() const { return layout_.get(); }
    std::shared_ptr<const GraphLayout> sharedLayout() const { return layout_; }
    bool isEmpty() const { return !layout_ || layout_->centres.empty(); }

    const CanvasTransform& transform() const { return transform_; }
    QRectF viewRect() const { return {QPointF(), viewSize_}; }
    /// The part of the scene in view.
    QRectF visibleScene() const { return transform_.toScene(viewRect()); }

    void zoomAt(const QPointF& viewPoint, double factor);
    void setZoom(double zoom); ///< keeps the middle in place
    void panBy(const QPointF& viewDelta);
    void centreOn(const QPointF& scene);
    void fitAll();
    /// Space that fitAll() leaves free at the edges of the view (for overlays).
    void setFitMargins(const QMarginsF& margins) { fitMargins_ = margins; }
    void fit(const std::set<OpId>& ops);
    /// Pans as little as needed to bring an op into view, with some room around it.
    void reveal(OpId op);
    /// Whether the view shows everything, as fitAll() left it: resizing then fits again.
    bool isFitted() const { return fitted_; }

    /// The op at a point of the view; near misses count where nodes are tiny.
    OpId opAt(const QPointF& viewPoint) const;
    /// Ops whose nodes touch a rectangle of the view.
    std::set<OpId> opsIn(const QRectF& viewRect) const;
    /// Ops whose centres are inside an outline drawn on the view.
    std::set<OpId> opsIn(const QPolygonF& viewOutline) const;
    QRectF nodeInView(OpId op) const { return transform_.toView(layout_->nodeRect(op)); }

    double minZoom() const;
    static constexpr double kMaxZoom = 8;

private:
    void keepInReach();

    std::shared_ptr<const GraphLayout> layout_;
    SpatialGrid grid_;
    QSizeF viewSize_;
    QMarginsF fitMargins_;
    CanvasTransform transform_;
    bool fitted_ = true;
};

} // namespace doppler::views
