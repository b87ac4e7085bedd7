#pragma once

#include <QPainter>
#include <QStringList>
#include <vector>

#include "views/canvas/NodePalette.h"

namespace doppler::views {

/// Explains shapes, colours and lines of a scene: a card of as many rows as there is to explain.
class LegendPainter {
public:
    LegendPainter(const CanvasScene& scene, const NodePalette& palette,
                  const CriticalParts& critical, const Theme& theme);

    bool isEmpty() const { return rows_.empty(); }
    QSizeF size() const { return size_; }
    /// What the rows say, top to bottom.
    QStringList texts() const;
    void paint(QPainter& painter, const QPointF& topLeft) const;

private:
    enum class Sign { Shape, Colour, Local, Crossing, Critical, RampTitle, Ramp, Note };
    struct Row {
        Sign sign = Sign::Note;
        QString text;
        graph::OpFamily family = graph::OpFamily::Contraction;
        QColor colour;
    };
    void paintSign(QPainter& painter, const Row& row, const QRectF& box) const;
    void paintRamp(QPainter& painter, const QRectF& line) const;

    const NodePalette& palette_;
    const Theme& theme_;
    std::vector<Row> rows_;
    QSizeF size_;
};

} // namespace doppler::views
