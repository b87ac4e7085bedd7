#include "core/engine/LinkFit.h"

#include <algorithm>
#include <cmath>

#include "core/engine/Statistics.h"

namespace doppler::engine {

namespace {

constexpr double kNsPerSecond = 1e9;
constexpr double kFastest = 1e15; // bytes/s; for copies that take no time

struct Line {
    double start = 0; // ns
    double slope = 0; // ns a byte
};

/// Least squares of (start + slope bytes) / t - 1.
Line fitLine(const std::vector<CopyTimes>& sizes, const std::vector<double>& times) {
    double s00 = 0;
    double s01 = 0;
    double s11 = 0;
    double r0 = 0;
    double r1 = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const double one = 1 / times[i];
        const double bytes = static_cast<double>(sizes[i].bytes) / times[i];
        s00 += one * one;
        s01 += one * bytes;
        s11 += bytes * bytes;
        r0 += one;
        r1 += bytes;
    }
    const double determinant = s00 * s11 - s01 * s01;
    Line line;
    // With one size the equations say the same twice.
    constexpr double kSingular = 1e-9;
    if (determinant > kSingular * s00 * s11) {
        line = {.start = (r0 * s11 - r1 * s01) / determinant,
                .slope = (r1 * s00 - r0 * s01) / determinant};
    }
    if (line.slope <= 0 && line.start > 0) {
        return {.start = r0 / s00, .slope = 0};
    }
    if (line.start < 0 || line.slope <= 0) {
        line = {.start = 0, .slope = s11 > 0 ? r1 / s11 : 0};
    }
    return line;
}

} // namespace

LinkFit fitLink(const std::vector<CopyTimes>& sizes) {
    LinkFit fit;
    std::vector<double> times;
    for (const CopyTimes& size : sizes) {
        times.push_back(std::max(median(size.ns), 1.0));
        fit.samples += static_cast<int>(size.ns.size());
    }
    const Line line = fitLine(sizes, times);
    fit.latencyNs = std::llround(line.start);
    fit.bytesPerSecond = line.slope > 0 ? std::min(kNsPerSecond / line.slope, kFastest) : kFastest;
    std::vector<double> errors;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const double fitted = line.start + line.slope * static_cast<double>(sizes[i].bytes);
        errors.push_back(std::fabs(fitted / times[i] - 1));
    }
    fit.error = median(errors);
    return fit;
}

} // namespace doppler::engine
