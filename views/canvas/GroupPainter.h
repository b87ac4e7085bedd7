#pragma once

#include <QPainter>
#include <set>
#include <utility>

#include "views/canvas/CanvasGeometry.h"
#include "views/canvas/CanvasScene.h"
#include "views/canvas/NodePalette.h"

namespace doppler::views {

/// Draws groups: frames around the ops of expanded ones, boxes in place of those of collapsed ones
/// (name, size, and the share of each colour among the ops as a bar), and the lines that stand for
/// many edges. Nothing in a scene without groups. Made for one picture; holds references only.
class GroupPainter {
public:
    GroupPainter(const CanvasScene& scene, const NodePalette& palette,
                 const CriticalParts& critical, const Theme& theme);

    void paintFrames(QPainter& painter, const CanvasTransform& transform,
                     const QRectF& viewRect) const;
    /// Names of frames whose title is too small to read, over everything in them.
    void paintSmallTitles(QPainter& painter, const CanvasTransform& transform,
                          const QRectF& viewRect) const;
    void paintBundles(QPainter& painter, const CanvasTransform& transform,
                      const QRectF& viewRect) const;
    void paintBoxes(QPainter& painter, const CanvasTransform& transform, const QRectF& viewRect,
                    const CanvasMarks& marks) const;
    /// The soft accent line under the bundles of collapsed groups with selected ops.
    void paintUnderlay(QPainter& painter, const CanvasTransform& transform,
                       const CanvasMarks& marks) const;
    /// Around collapsed groups whose ops are selected (dashed: some of them), and the hovered one.
    void paintRings(QPainter& painter, const CanvasTransform& transform,
                    const CanvasMarks& marks) const;
    /// Collapsed groups as plain bars, for the minimap.
    void paintSmall(QPainter& painter, const CanvasTransform& transform) const;

private:
    /// How many ops of a collapsed group have which colour.
    struct Share {
        std::uint16_t swatch;
        int count;
    };
    struct Content {
        std::vector<Share> shares; ///< in device order
        bool critical = false;
        bool matches = false; ///< some op passes the filter
    };

    /// Bundles with edges of the critical chain, by their ends.
    std::set<std::pair<int, int>> criticalBundles() const;
    static std::pair<int, int> endsOf(const BundleLine& bundle);
    std::vector<Content> contents(const CanvasMarks& marks) const;
    std::vector<int> selectedOps(const CanvasMarks& marks) const;
    void paintBar(QPainter& painter, const QRectF& bar, const Content& content, bool letters,
                  double strength) const;
    void paintBox(QPainter& painter, const QRectF& rect, const GroupBox& box,
                  const Content& content, double zoom, bool outside) const;
    void paintToggle(QPainter& painter, const QRectF& rect, bool collapsed) const;
    QString sizeText(std::int32_t group) const;

    const CanvasScene& scene_;
    const NodePalette& palette_;
    const CriticalParts& critical_;
    const Theme& theme_;
};

} // namespace doppler::views
