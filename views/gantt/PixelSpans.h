#pragma once

#include <vector>

#include "views/gantt/LaneModel.h"

namespace doppler::views {

/// A linear map between time and horizontal pixels.
struct TimeMap {
    double from = 0; ///< time at `left`
    double perPixel = 1;
    double left = 0;
    double right = 0;

    double x(double time) const { return left + (time - from) / perPixel; }
    double time(double x) const { return from + (x - left) * perPixel; }
    double to() const { return time(right); }
};

/// A bar to paint.
struct PixelSpan {
    double left = 0;
    double right = 0;
    /// Index into the row; -1: several spans narrower than a pixel, as one bar.
    std::int32_t span = -1;
    /// Of a merged bar: how much of it is busy, in quarters (1..4). 4 otherwise.
    int quarters = 4;
};

/// The bars of a row that are in sight. Spans narrower than a pixel are merged, pixel column by
/// pixel column, into bars that show how busy the lane was; so there are never more bars than
/// pixels times two. `out` is cleared first.
void pixelSpans(const LaneRow& row, const TimeMap& map, std::vector<PixelSpan>& out);

} // namespace doppler::views
