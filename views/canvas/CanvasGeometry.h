#pragma once

#include <QMarginsF>
#include <QPolygonF>
#include <QSizeF>
#include <memory>
#include <set>

#include "views/canvas/SpatialGrid.h"
#include "views/layout/FoldedLayout.h"

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
    /// `folds`: the groups on it, if any are drawn.
    void setLayout(std::shared_ptr<const GraphLayout> layout,
                   std::shared_ptr<const FoldedLayout> folds = {});
    void setViewSize(const QSizeF& size);
    const GraphLayout* layout() const { return layout_.get(); }
    std::shared_ptr<const GraphLayout> sharedLayout() const { return layout_; }
    std::shared_ptr<const FoldedLayout> folds() const { return folds_; }
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
    /// The same for a rectangle of the scene.
    void reveal(const QRectF& scene);
    /// Where everything fits at this zoom: pans as little as needed to bring all into view.
    void revealAll();
    /// Whether the view shows everything, as fitAll() left it: resizing then fits again.
    bool isFitted() const { return fitted_; }

    /// The op at a point of the view; near misses count where nodes are tiny.
    OpId opAt(const QPointF& viewPoint) const;
    /// Ops whose nodes touch a rectangle of the view.
    std::set<OpId> opsIn(const QRectF& viewRect) const;
    /// Ops whose centres are inside an outline drawn on the view.
    std::set<OpId> opsIn(const QPolygonF& viewOutline) const;
    /// The node of an op, or the collapsed group that hides it.
    QRectF nodeInView(OpId op) const { return transform_.toView(standInRect(op)); }
    /// How much is drawn in a rectangle of the view: nodes, collapsed groups, names of expanded
    /// ones.
    std::size_t countIn(const QRectF& viewRect) const;
    /// Index of the collapsed group at a point of the view, or of the expanded one whose title is
    /// there; -1: none.
    std::int32_t boxAt(const QPointF& viewPoint) const;
    /// The same where the sign that expands or collapses it is.
    std::int32_t toggleAt(const QPointF& viewPoint) const;
    QRectF boxInView(std::int32_t box) const {
        return transform_.toView(folds_->boxes[static_cast<std::size_t>(box)].rect);
    }
    /// Where that sign is, in the view; empty if the box is too small to show it.
    QRectF toggleInView(std::int32_t box) const;

    double minZoom() const;
    static constexpr double kMaxZoom = 8;

private:
    void keepInReach();
    QRectF nameRect(const GroupBox& box) const;
    template <typename Wanted>
    void addBoxes(std::set<OpId>& found, const Wanted& wanted) const;
    bool isHidden(OpId op) const { return folds_ && folds_->isHidden(op); }
    QRectF standInRect(OpId op) const {
        return folds_ ? folds_->standInRect(op) : layout_->nodeRect(op);
    }

    std::shared_ptr<const GraphLayout> layout_;
    std::shared_ptr<const FoldedLayout> folds_;
    SpatialGrid grid_;
    QSizeF viewSize_;
    QMarginsF fitMargins_;
    CanvasTransform transform_;
    bool fitted_ = true;
};

} // namespace doppler::views
