#include "views/canvas/CanvasPicture.h"

#include <QElapsedTimer>

namespace doppler::views {

namespace {
/// From this many ops and edges on, selection and hover are drawn over a kept picture.
constexpr int kLargeScene = 3'000;
/// Pictures that took longer than this are stretched while the view moves.
constexpr qint64 kSlowMs = 12;
} // namespace

void CanvasPicture::prepare(const CanvasScene& scene, const Theme& theme) {
    scene_ = &scene;
    theme_ = theme;
    palette_ = makePalette(scene, theme_);
    critical_ = criticalParts(scene);
    sprites_.clear();
    base_ = {};
}

void CanvasPicture::renderBase(const CanvasTransform& transform, const QSize& size, double ratio,
                               const CanvasMarks& marks) {
    QElapsedTimer timer;
    timer.start();
    const QSize pixels = (QSizeF(size) * ratio).toSize();
    if (base_.size() != pixels) {
        base_ = QImage(pixels, QImage::Format_RGB32);
    }
    base_.setDevicePixelRatio(ratio);
    QPainter painter(&base_);
    const QRectF view{QPointF(), QSizeF(size)};
    GraphPainter::paintBackground(painter, view, transform.offset, theme_);
    CanvasMarks plain;
    plain.matches = marks.matches;
    omission_ = GraphPainter(*scene_, palette_, critical_, theme_, &sprites_)
                    .paint(painter, transform, view, plain);
    painter.end();
    baseTransform_ = transform;
    baseMs_ = timer.elapsed();
}

void CanvasPicture::paint(QPainter& painter, const CanvasTransform& transform, const QSize& size,
                          const CanvasMarks& marks, bool moving) {
    isDraft_ = false;
    const QRectF view{QPointF(), QSizeF(size)};
    if (!scene_ || scene_->isEmpty()) {
        GraphPainter::paintBackground(painter, view, transform.offset, theme_);
        return;
    }
    const GraphPainter graph(*scene_, palette_, critical_, theme_, &sprites_);
    if (scene_->graph().opCount() + scene_->graph().edgeCount() < kLargeScene) {
        GraphPainter::paintBackground(painter, view, transform.offset, theme_);
        omission_ = graph.paint(painter, transform, view, marks);
        return;
    }
    const double ratio = painter.device()->devicePixelRatioF();
    const bool sameSize = base_.size() == (QSizeF(size) * ratio).toSize();
    if (!sameSize || baseTransform_ != transform) {
        if (sameSize && moving && baseMs_ > kSlowMs) {
            isDraft_ = true;
        } else {
            renderBase(transform, size, ratio, marks);
        }
    }
    if (isDraft_) {
        GraphPainter::paintBackground(painter, view, transform.offset, theme_);
        const QRectF shown = transform.toView(baseTransform_.toScene(view));
        painter.drawImage(shown, base_);
    } else {
        painter.drawImage(QPointF(), base_);
    }
    graph.paintMarks(painter, transform, marks);
}

} // namespace doppler::views
