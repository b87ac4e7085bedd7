#include "views/gantt/TimeTicks.h"

#include <algorithm>
#include <cmath>

#include "views/format/Format.h"

namespace doppler::views {

double tickStep(double span, int atMost) {
    const double least = span / std::max(atMost, 1);
    const double power = std::pow(10.0, std::floor(std::log10(std::max(least, 1.0))));
    // A little slack, as 20 / 4 may come out as 5.000000001.
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * (1 - 1e-9)) {
            return factor * power;
        }
    }
    return 10 * power;
}

std::vector<TimeTick> timeTicks(double from, double to, int atMost, cost::TimeUnit unit) {
    std::vector<TimeTick> ticks;
    if (!(to > from)) {
        return ticks;
    }
    const double step = tickStep(to - from, atMost);
    const double first = std::ceil(from / step);
    const double last = std::floor(to / step);
    const TimeScale scale = timeScale(static_cast<Time>(last * step), unit);
    const int decimals =
        scale.factor == 1
            ? 0
            : std::max(0, static_cast<int>(std::ceil(-std::log10(step / scale.factor) - 1e-9)));
    for (double index = first; index <= last; ++index) {
        const double time = index * step;
        // Zero needs no decimals.
        ticks.push_back(
            {time, timeNumber(static_cast<Time>(time), scale, time == 0 ? 0 : decimals)});
    }
    if (!ticks.empty()) {
        ticks.back().label += scale.unit;
    }
    return ticks;
}

} // namespace doppler::views
