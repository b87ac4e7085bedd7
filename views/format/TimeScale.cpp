#include "views/format/TimeScale.h"

#include <QLocale>
#include <array>
#include <cmath>

#include "core/cost/FormatQuantity.h"

namespace doppler::views {

namespace {

struct Step {
    double divisor;
    const char* unit;
};
constexpr std::array<Step, 4> kPhysical{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
constexpr std::array<Step, 5> kPublished{
    {{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}}};
constexpr double kBytesPerGigabyte = 1e9;
const QChar kMinus(0x2212);

template <std::size_t N>
Step stepFor(const std::array<Step, N>& steps, double reference) {
    Step chosen = steps[0];
    for (const Step& step : steps) {
        if (reference >= 10 * step.divisor) {
            chosen = step;
        }
    }
    return chosen;
}

QString grouped(double value, int decimals) {
    QLocale locale(QLocale::English);
    return locale.toString(value, 'f', decimals);
}

} // namespace

TimeScale::TimeScale(cost::TimeUnit unit, Time reference) {
    const double size = std::abs(static_cast<double>(reference));
    const Step step =
        unit == cost::TimeUnit::Units ? stepFor(kPublished, size) : stepFor(kPhysical, size);
    divisor_ = step.divisor;
    unit_ = QString::fromUtf8(step.unit);
    // Four significant digits of the reference, and whole numbers where nothing is scaled.
    decimals_ = divisor_ == 1 ? 0 : size / divisor_ < 100 ? 2 : 1;
}

QString TimeScale::number(Time time) const {
    return grouped(static_cast<double>(time) / divisor_, decimals_);
}

QString TimeScale::text(Time time) const {
    return unit_.isEmpty() ? number(time) : number(time) + QChar(u' ') + unit_;
}

QString TimeScale::differenceNumber(Time time) const {
    const QString size = number(time < 0 ? -time : time);
    if (time == 0) {
        return QStringLiteral("0");
    }
    return (time > 0 ? QChar(u'+') : kMinus) + size;
}

QString TimeScale::difference(Time time) const {
    const QString value = differenceNumber(time);
    return unit_.isEmpty() ? value : value + QChar(u' ') + unit_;
}

QString percentText(double ratio) {
    return QString::fromStdString(cost::formatPercent(ratio));
}

QString bytesText(std::int64_t bytes) {
    return QString::fromStdString(cost::formatBytes(bytes));
}

QString gigabytesNumber(std::int64_t bytes) {
    return grouped(static_cast<double>(bytes) / kBytesPerGigabyte, 2);
}

} // namespace doppler::views
