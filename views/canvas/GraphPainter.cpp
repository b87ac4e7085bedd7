#include "views/canvas/GraphPainter.h"

#include <QPixmap>

namespace doppler::views {

namespace {
constexpr int kGridStep = 24;
/// Room around the view in which nodes still matter: tags and rings stick out.
constexpr double kReach = 8;
constexpr std::size_t kMaxRedrawnNodes = 2'000;
} // namespace

GraphPainter::GraphPainter(const CanvasScene& scene, const NodePalette& palette,
                           const CriticalParts& critical, const Theme& theme, NodeSprites* sprites)
    : scene_(scene)
    , nodes_(scene, palette, critical, theme, sprites)
    , edges_(scene, critical, theme, sprites != nullptr)
    , groups_(scene, palette, critical, theme) {}

std::vector<OpId> GraphPainter::opsInView(const CanvasTransform& transform,
                                          const QRectF& viewRect) const {
    const QRectF reach =
        transform.toScene(viewRect.adjusted(-kReach, -kReach, kReach, kReach))
            .adjusted(-kNodeWidth / 2, -kNodeHeight / 2, kNodeWidth / 2, kNodeHeight / 2);
    std::vector<OpId> ops;
    for (OpId op = 0; op < scene_.layout->opCount(); ++op) {
        if (reach.contains(scene_.layout->centre(op)) && !scene_.isHidden(op)) {
            ops.push_back(op);
        }
    }
    return ops;
}

EdgeOmission GraphPainter::paint(QPainter& painter, const CanvasTransform& transform,
                                 const QRectF& viewRect, const CanvasMarks& marks) const {
    if (scene_.isEmpty()) {
        return EdgeOmission::None;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    groups_.paintFrames(painter, transform, viewRect);
    if (!marks.selected.empty()) {
        edges_.paintUnderlay(painter, transform, marks);
        groups_.paintUnderlay(painter, transform, marks);
    }
    const EdgeOmission omission = edges_.paint(painter, transform, viewRect, marks);
    groups_.paintBundles(painter, transform, viewRect);
    const std::vector<OpId> ops = opsInView(transform, viewRect);
    nodes_.paint(painter, transform, ops, marks);
    groups_.paintBoxes(painter, transform, viewRect, marks);
    groups_.paintSmallTitles(painter, transform, viewRect);
    nodes_.paintRings(painter, transform, marks);
    groups_.paintRings(painter, transform, marks);
    nodes_.paintTags(painter, transform, ops, marks);
    nodes_.paintPins(painter, transform, ops);
    return omission;
}

void GraphPainter::paintMarks(QPainter& painter, const CanvasTransform& transform,
                              const CanvasMarks& marks) const {
    if (scene_.isEmpty()) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (!marks.selected.empty()) {
        edges_.paintUnderlay(painter, transform, marks);
        edges_.paintSelected(painter, transform, marks);
        if (marks.selected.size() <= kMaxRedrawnNodes) {
            std::set<OpId> touched = marks.selected; // nodes that the lines were drawn across
            const graph::Graph& graph = scene_.graph();
            for (const OpId op : marks.selected) {
                for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
                    touched.insert(graph.target(edge));
                }
                for (const EdgeId edge : graph.inEdges(op)) {
                    touched.insert(graph.source(edge));
                }
            }
            if (transform.detail() > DetailLevel::Density) {
                std::vector<OpId> ops(touched.begin(), touched.end());
                std::erase_if(ops, [this](OpId op) { return scene_.isHidden(op); });
                nodes_.paint(painter, transform, ops, marks);
                nodes_.paintTags(painter, transform, ops, marks);
                nodes_.paintPins(painter, transform, ops);
            }
        }
    }
    nodes_.paintRings(painter, transform, marks);
    groups_.paintRings(painter, transform, marks);
}

void GraphPainter::paintBackground(QPainter& painter, const QRectF& viewRect, const QPointF& offset,
                                   const Theme& theme) {
    painter.fillRect(viewRect, theme.canvas);
    QPixmap tile(kGridStep, kGridStep);
    tile.fill(theme.canvas);
    QPainter dot(&tile);
    dot.fillRect(QRect(kGridStep / 2, kGridStep / 2, 1, 1),
                 theme.grid.darker(theme.dark ? 80 : 104));
    dot.end();
    painter.save();
    painter.setBrushOrigin(offset.toPoint());
    painter.fillRect(viewRect, QBrush(tile));
    painter.restore();
}

} // namespace doppler::views
