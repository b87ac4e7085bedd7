#include "views/format/Format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "core/cost/FormatQuantity.h"

namespace doppler::views {

namespace {

const QChar kMinus(0x2212);
constexpr int kTimeDigits = 4;
constexpr int kUnitDigits = 5; // published makespans are compared to the fifth digit
constexpr int kQuantityDigits = 3;
/// Published costs up to this many units are written in full.
constexpr Time kLargestPlainUnits = 999'999;

constexpr std::array<const char16_t*, 4> kTimeUnits{u"ns", u"µs", u"ms", u"s"};
constexpr std::array<const char16_t*, 7> kPrefixes{u"", u"k", u"M", u"G", u"T", u"P", u"E"};

QString number(double value, int decimals) {
    return QString::number(value, 'f', decimals);
}

/// Decimals that show `value` with `digits` significant ones.
int decimalsFor(double value, int digits) {
    const double size = std::fabs(value);
    const int before = size < 1 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
    return std::max(0, digits - before);
}

/// The power of 1000 in which `value` is at least 1, at most `largest`. A value that would round
/// up to 1000 belongs to the next one.
int thousands(double value, int largest, int digits) {
    const double size = std::fabs(value) * (1 + 0.5 * std::pow(10.0, -digits));
    int power = 0;
    while (power < largest && size >= 1000 * std::pow(1000.0, power)) {
        ++power;
    }
    return power;
}

QString superscript(int value) {
    static constexpr std::array<char16_t, 10> digits{u'⁰', u'¹', u'²', u'³', u'⁴',
                                                     u'⁵', u'⁶', u'⁷', u'⁸', u'⁹'};
    QString text;
    for (const QChar digit : QString::number(value)) {
        text += QChar(digits[static_cast<std::size_t>(digit.digitValue())]);
    }
    return text;
}

QString withMinus(const QString& text) {
    return QString(text).replace(u'-', kMinus);
}

/// Puts a sign before `magnitude`, unless it shows nothing but zeros.
QString withSign(double value, const QString& magnitude) {
    const bool zero = std::none_of(magnitude.begin(), magnitude.end(), [](QChar each) {
        return each.isDigit() && each.digitValue() > 0;
    });
    if (zero) {
        return magnitude;
    }
    return (value < 0 ? kMinus : QChar(u'+')) + magnitude;
}

QString scaledQuantity(double value, const QString& unit) {
    const int power = thousands(value, static_cast<int>(kPrefixes.size()) - 1, kQuantityDigits);
    const double scaled = value / std::pow(1000.0, power);
    const bool whole = power == 0 && value == std::floor(value);
    return number(scaled, whole ? 0 : decimalsFor(scaled, kQuantityDigits)) + u' ' +
           QString::fromUtf16(kPrefixes[static_cast<std::size_t>(power)]) + unit;
}

TimeScale scaleOfPower(int power, cost::TimeUnit unit) {
    TimeScale scale;
    scale.factor = std::pow(1000.0, power);
    if (unit == cost::TimeUnit::Nanoseconds) {
        scale.column = QString::fromUtf16(kTimeUnits[static_cast<std::size_t>(power)]);
        scale.unit = u' ' + scale.column;
    } else if (power == 0) {
        scale.column = QStringLiteral("units");
        scale.unit = QStringLiteral(" units");
    } else {
        const QString powerOfTen = QStringLiteral("10") + superscript(3 * power);
        scale.column = powerOfTen + QStringLiteral(" units");
        scale.unit = u'×' + powerOfTen; // the word would be noise in every sentence
    }
    return scale;
}

constexpr int kLargestTimePower = 3;
constexpr int kLargestUnitPower = 6;

} // namespace

TimeScale timeScale(Time largest, cost::TimeUnit unit) {
    const auto size = static_cast<double>(std::abs(largest));
    if (unit == cost::TimeUnit::Nanoseconds) {
        return scaleOfPower(thousands(size, kLargestTimePower, kTimeDigits), unit);
    }
    return scaleOfPower(std::abs(largest) <= kLargestPlainUnits
                            ? 0
                            : thousands(size, kLargestUnitPower, kUnitDigits),
                        unit);
}

QString timeText(Time time, cost::TimeUnit unit) {
    const TimeScale scale = timeScale(time, unit);
    if (scale.factor == 1) {
        return withMinus(countText(time)) + scale.unit;
    }
    const double value = static_cast<double>(time) / scale.factor;
    const int digits = unit == cost::TimeUnit::Nanoseconds ? kTimeDigits : kUnitDigits;
    return withMinus(number(value, decimalsFor(value, digits))) + scale.unit;
}

QString timeNumber(Time time, const TimeScale& scale, int decimals) {
    if (scale.factor == 1) {
        return withMinus(countText(time));
    }
    return withMinus(number(static_cast<double>(time) / scale.factor, decimals));
}

int makespanDecimals(Time reference, const TimeScale& scale) {
    return std::max(1, decimalsFor(static_cast<double>(reference) / scale.factor, kTimeDigits));
}

QString signedTimeText(Time difference, cost::TimeUnit unit) {
    return withSign(static_cast<double>(difference), timeText(std::abs(difference), unit));
}

QString signedTimeNumber(Time difference, const TimeScale& scale, int decimals) {
    return withSign(static_cast<double>(difference),
                    timeNumber(std::abs(difference), scale, decimals));
}

QString bytesText(std::int64_t bytes) {
    return scaledQuantity(static_cast<double>(bytes), QStringLiteral("B"));
}

QString flopsText(std::int64_t flops) {
    return scaledQuantity(static_cast<double>(flops), QStringLiteral("FLOP"));
}

QString flopRateText(double flopsPerSecond) {
    return scaledQuantity(flopsPerSecond, QStringLiteral("FLOP/s"));
}

QString byteRateText(double bytesPerSecond) {
    return scaledQuantity(bytesPerSecond, QStringLiteral("B/s"));
}

ByteScale byteScale(std::int64_t largest) {
    // Two decimals of the next larger unit still tell sizes from 50 up apart, and GB is what
    // capacities are written in.
    constexpr double kPromote = 50;
    ByteScale scale{1, QStringLiteral("B")};
    for (const char16_t* prefix : {u"k", u"M", u"G"}) {
        if (static_cast<double>(largest) < scale.factor * kPromote) {
            break;
        }
        scale.factor *= 1000;
        scale.unit = QString::fromUtf16(prefix) + u'B';
    }
    return scale;
}

QString byteNumber(std::int64_t bytes, const ByteScale& scale, int decimals) {
    return withMinus(
        number(static_cast<double>(bytes) / scale.factor, scale.factor == 1 ? 0 : decimals));
}

QString percentText(double ratio, int decimals) {
    return withMinus(number(ratio * 100, decimals)) + QStringLiteral(" %");
}

QString signedPercentText(double ratio, int decimals) {
    return withSign(ratio, percentText(std::fabs(ratio), decimals));
}

QString countText(std::int64_t count) {
    return QString::fromStdString(cost::formatCount(count));
}

QString signedCountText(std::int64_t count) {
    return withSign(static_cast<double>(count), countText(std::abs(count)));
}

QString countOf(std::int64_t count, const QString& singular) {
    return countText(count) + u' ' + singular + (count == 1 ? QString() : QStringLiteral("s"));
}

QString secondsText(double seconds) {
    return QString::fromStdString(cost::formatSeconds(seconds));
}

} // namespace doppler::views
