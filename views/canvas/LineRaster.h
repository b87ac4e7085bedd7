#pragma once

#include <QImage>
#include <QPointF>
#include <QRgb>
#include <cstddef>

namespace doppler::views {

/// Draws thousands of lines, one pixel wide, straight into the pixels of a picture: many times
/// quicker than a general painter, which treats each line as a shape.
class LineRaster {
public:
    /// `target` outlives the raster: 32 bits a pixel, opaque or premultiplied, in device pixels.
    /// Lines that are not smooth are quicker still; for thickets where nobody could tell.
    LineRaster(QImage& target, bool smooth);

    /// Following lines have this (opaque) colour; dashes of 5 and gaps of 3 pixels or none.
    void setPen(QRgb colour, bool dashed);
    /// A new polyline: dashes start anew.
    void moveTo(const QPointF& point);
    void lineTo(const QPointF& point);

private:
    void draw(QPointF from, QPointF to);

    QRgb* bits_;
    std::ptrdiff_t stride_;
    QSize size_;
    bool smooth_;
    QPointF at_;
    QRgb colour_ = 0;
    bool dashed_ = false;
    int phase_ = 0; // pixels along the polyline, for dashes
};

} // namespace doppler::views
