#pragma once

#include <QImage>
#include <optional>

#include "views/canvas/GraphPainter.h"

namespace doppler::views {

/// Keeps what is derived from a scene for drawing it again and again: palette, critical chain,
/// sprites, and for large graphs a picture of everything but selection and hover.
class CanvasPicture {
public:
    /// The scene, theme or filter changed.
    void prepare(const CanvasScene& scene, const Theme& theme);
    void filterChanged() { base_ = {}; }

    const NodePalette& palette() const { return palette_; }
    const CriticalParts& critical() const { return critical_; }

    /// Paints background and scene for a view of `size`. While `moving`, a large graph may be
    /// shown by stretching its last picture; isDraft() then asks for one more paint.
    void paint(QPainter& painter, const CanvasTransform& transform, const QSize& size,
               const CanvasMarks& marks, bool moving);
    bool isDraft() const { return isDraft_; }
    /// Of the last complete picture.
    EdgeOmission omission() const { return omission_; }

private:
    void renderBase(const CanvasTransform& transform, const QSize& size, double ratio,
                    const CanvasMarks& marks);

    const CanvasScene* scene_ = nullptr;
    Theme theme_;
    NodePalette palette_;
    CriticalParts critical_;
    NodeSprites sprites_;
    QImage base_;
    CanvasTransform baseTransform_;
    qint64 baseMs_ = 0;
    EdgeOmission omission_ = EdgeOmission::None;
    bool isDraft_ = false;
};

} // namespace doppler::views
