#pragma once

#include <QImage>
#include <QPointF>
#include <QRgb>
#include <cstddef>

namespace doppler::views {

/// Draws thousands of smooth lines, one pixel wide, straight into a transparent picture: many
/// times quicker than a general painter, which treats each line as a shape.
class LineRaster {
public:
    /// A picture of `pixels` device pixels. Lines that are not smooth are quicker still; for
    /// thickets where nobody could tell.
    explicit LineRaster(const QSize& pixels, bool smooth = true);

    /// Following lines have this (opaque) colour; dashes of 5 and gaps of 3 pixels or none.
    void setPen(QRgb colour, bool dashed);
    /// A new polyline: dashes start anew.
    void moveTo(const QPointF& point);
    void lineTo(const QPointF& point);

    const QImage& image() const { return image_; }

private:
    void draw(QPointF from, QPointF to);

    QImage image_;
    QRgb* bits_ = nullptr;
    std::ptrdiff_t stride_ = 0;
    bool smooth_;
    QPointF at_;
    QRgb colour_ = 0;
    bool dashed_ = false;
    int phase_ = 0; // pixels along the polyline, for dashes
};

} // namespace doppler::views
