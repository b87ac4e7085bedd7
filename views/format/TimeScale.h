#pragma once

#include <QString>

#include "core/cost/CostTable.h"

namespace doppler::views {

/// One unit for all times shown together, so that numbers of a table or an axis compare at a
/// glance: "ms" for physical costs; a decimal prefix ("G") for published ones, which have no unit.
class TimeScale {
public:
    TimeScale() = default;
    /// Chosen so that `reference` (say, the bound or the makespan shown) has one to four digits
    /// before its decimal point.
    TimeScale(cost::TimeUnit unit, Time reference);

    /// "ms", "µs", "G", ...; empty for published costs below 10,000.
    QString unit() const { return unit_; }
    /// Time units (nanoseconds, or the file's integers) in one shown unit.
    double divisor() const { return divisor_; }

    /// The number alone: "179.2", "1,200.1".
    QString number(Time time) const;
    /// "179.2 ms".
    QString text(Time time) const;
    /// A signed difference with a real minus sign: "+4.0 ms", "−5.5 ms", "0 ms".
    QString difference(Time time) const;
    /// The same without the unit.
    QString differenceNumber(Time time) const;

private:
    double divisor_ = 1;
    QString unit_;
    int decimals_ = 0;
};

/// "12.0 %" from 0.12.
QString percentText(double ratio);
/// "3.05 GB", decimal prefixes; "0" stays "0 B".
QString bytesText(std::int64_t bytes);
/// Gigabytes alone, "3.05".
QString gigabytesNumber(std::int64_t bytes);

} // namespace doppler::views
