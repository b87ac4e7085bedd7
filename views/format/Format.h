#pragma once

/// views/format: how the window writes numbers, so that every view writes them alike. Decimal
/// point whatever the locale.

#include <QString>

#include "core/cost/CostTable.h"
#include "core/graph/Ids.h"

namespace doppler::views {

/// One unit for all times of a column, a chart or an axis.
struct TimeScale {
    double factor = 1; ///< integer times in one unit
    QString unit;      ///< after a number: " ms", "×10¹²" (with its space, if any)
    QString column;    ///< as the title of a column: "ms", "10¹² units"
};

/// The scale in which `largest` reads best: at least 1 and below 1000 of the unit.
TimeScale timeScale(Time largest, cost::TimeUnit unit);

/// "179.2 ms", "13.17 µs", "84 units", "12.001×10¹²".
QString timeText(Time time, cost::TimeUnit unit);
/// The number alone: "179.2".
QString timeNumber(Time time, const TimeScale& scale, int decimals = 1);
/// Decimals at which makespans around `reference` tell apart: four significant digits.
int makespanDecimals(Time reference, const TimeScale& scale);
/// A difference with its sign and a real minus: "+18.80 ms", "−5.500 ms", "0 ms".
QString signedTimeText(Time difference, cost::TimeUnit unit);
/// "+18.8", "−5.5", "0.0".
QString signedTimeNumber(Time difference, const TimeScale& scale, int decimals = 1);

/// Three significant digits, decimal prefixes: "50.0 MB", "3.10 GB", "512 B".
QString bytesText(std::int64_t bytes);
/// "125 GFLOP", "0 FLOP".
QString flopsText(std::int64_t flops);
/// "9.50 TFLOP/s".
QString flopRateText(double flopsPerSecond);
/// "5.00 GB/s".
QString byteRateText(double bytesPerSecond);

/// One unit for all sizes of a column or chart: "GB", or a smaller one where all are small.
struct ByteScale {
    double factor = 1;
    QString unit; ///< "GB"
};
ByteScale byteScale(std::int64_t largest);
QString byteNumber(std::int64_t bytes, const ByteScale& scale, int decimals = 1);

/// 0.12 -> "12.0 %".
QString percentText(double ratio, int decimals = 1);
/// "+11.6 %", "−3.0 %", "0.0 %".
QString signedPercentText(double ratio, int decimals = 1);
/// "1,000,000".
QString countText(std::int64_t count);
/// "+3", "−12", "0".
QString signedCountText(std::int64_t count);
/// "1 op", "1,200 ops": the plural is the singular with an s.
QString countOf(std::int64_t count, const QString& singular);
/// A duration of the clock: "0.012 s", "9.98 s", "2 min 5 s".
QString secondsText(double seconds);

} // namespace doppler::views
