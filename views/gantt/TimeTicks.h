#pragma once

#include <QString>
#include <vector>

#include "core/cost/CostTable.h"

namespace doppler::views {

struct TimeTick {
    double time = 0;
    QString label;
};

/// The smallest step of 1, 2 or 5 times a power of ten that cuts `span` into at most `atMost`
/// parts. Never below 1: times are whole.
double tickStep(double span, int atMost);

/// Ticks from `from` to `to`, at most `atMost` + 1, all in one unit, which follows the last number
/// only: "0", "20", "40 ms".
std::vector<TimeTick> timeTicks(double from, double to, int atMost, cost::TimeUnit unit);

} // namespace doppler::views
