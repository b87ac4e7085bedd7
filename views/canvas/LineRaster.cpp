#include "views/canvas/LineRaster.h"

#include <algorithm>
#include <cmath>

namespace doppler::views {

namespace {

constexpr int kDash = 5;
constexpr int kPeriod = 8;
constexpr int kFraction = 16; // bits of a fixed-point coordinate
constexpr std::uint32_t kFull = 256;

/// Both channel pairs of a pixel times share / 256.
QRgb scaled(QRgb pixel, std::uint32_t share) {
    const std::uint32_t even = ((pixel & 0x00FF00FFU) * share >> 8U) & 0x00FF00FFU;
    const std::uint32_t odd = ((pixel >> 8U & 0x00FF00FFU) * share) & 0xFF00FF00U;
    return even | odd;
}

void blend(QRgb& pixel, QRgb colour, std::uint32_t coverage) {
    pixel = scaled(colour, coverage) + scaled(pixel, kFull - coverage);
}

/// Cuts a line to 0..limit on one axis; false if nothing is left. `a` is the axis, `b` the other.
bool clip(double& a0, double& b0, double& a1, double& b1, double limit) {
    if ((a0 < 0 && a1 < 0) || (a0 > limit && a1 > limit)) {
        return false;
    }
    const double slope = a1 != a0 ? (b1 - b0) / (a1 - a0) : 0;
    const auto cut = [&](double& a, double& b) {
        const double inside = std::clamp(a, 0.0, limit);
        b += slope * (inside - a);
        a = inside;
    };
    cut(a0, b0);
    cut(a1, b1);
    return true;
}

} // namespace

LineRaster::LineRaster(QImage& target, bool smooth)
    : bits_(reinterpret_cast<QRgb*>(target.bits()))
    , stride_(target.bytesPerLine() / 4)
    , size_(target.size())
    , smooth_(smooth) {}

void LineRaster::setPen(QRgb colour, bool dashed) {
    colour_ = colour | 0xFF000000U;
    dashed_ = dashed;
}

void LineRaster::moveTo(const QPointF& point) {
    at_ = point;
    phase_ = 0;
}

void LineRaster::lineTo(const QPointF& point) {
    draw(at_, point);
    at_ = point;
}

// One step a pixel along the longer axis, its weight shared between the two nearest pixels across
// (Xiaolin Wu).
void LineRaster::draw(QPointF from, QPointF to) {
    from -= QPointF(0.5, 0.5); // to pixel centres
    to -= QPointF(0.5, 0.5);
    const bool steep = std::abs(to.y() - from.y()) > std::abs(to.x() - from.x());
    double a0 = steep ? from.y() : from.x(), b0 = steep ? from.x() : from.y();
    double a1 = steep ? to.y() : to.x(), b1 = steep ? to.x() : to.y();
    const double limitA = (steep ? size_.height() : size_.width()) - 1.0;
    const double limitB = (steep ? size_.width() : size_.height()) - 2.0; // two pixels are set
    const int skipped = static_cast<int>(std::abs(std::clamp(a0, 0.0, limitA) - a0));
    if (!clip(a0, b0, a1, b1, limitA) || !clip(b0, a0, b1, a1, limitB)) {
        phase_ +=
            static_cast<int>(std::max(std::abs(to.x() - from.x()), std::abs(to.y() - from.y())));
        return;
    }
    phase_ += skipped;
    const int step = a1 >= a0 ? 1 : -1;
    const int first = static_cast<int>(std::lround(a0));
    const int count = std::abs(static_cast<int>(std::lround(a1)) - first);
    const double slope = count > 0 ? (b1 - b0) / count : 0;
    auto across = static_cast<std::int64_t>(b0 * (1 << kFraction));
    const auto change = static_cast<std::int64_t>(slope * (1 << kFraction));
    const auto last = static_cast<std::int64_t>(limitB * (1 << kFraction));
    // Along the line, and across it.
    const std::ptrdiff_t along = (steep ? stride_ : 1) * step;
    const std::ptrdiff_t aside = steep ? 1 : stride_;
    QRgb* row = bits_ + first * (steep ? stride_ : 1);
    for (int i = 0; i <= count; ++i, across += change, row += along) {
        if (dashed_ && phase_++ % kPeriod >= kDash) {
            continue;
        }
        const std::int64_t place = std::clamp<std::int64_t>(across, 0, last);
        QRgb* pixel = row + (place >> kFraction) * aside;
        if (!smooth_) {
            *pixel = colour_;
            continue;
        }
        const auto share = static_cast<std::uint32_t>(place >> (kFraction - 8)) & (kFull - 1);
        blend(pixel[0], colour_, kFull - share);
        blend(pixel[aside], colour_, share);
    }
}

} // namespace doppler::views
