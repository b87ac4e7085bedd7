#include "core/learn/RunningBaseline.h"

#include <algorithm>
#include <cmath>

namespace doppler::learn {

void RunningBaseline::add(std::span<const Time> makespans, double share) {
    const auto count = static_cast<double>(makespans.size());
    double sum = 0;
    double squares = 0;
    for (const Time makespan : makespans) {
        const auto value = static_cast<double>(makespan);
        sum += value;
        squares += value * value;
    }
    episodes += static_cast<std::int64_t>(makespans.size());
    const double part = std::max(share, count / static_cast<double>(episodes));
    mean += part * (sum / count - mean);
    square += part * (squares / count - square);
}

bool RunningBaseline::settled() const {
    return episodes >= kSettled;
}

double RunningBaseline::spread() const {
    return std::sqrt(std::max(square - mean * mean, 0.0));
}

} // namespace doppler::learn
