#include "core/engine/Statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace doppler::engine {

namespace {

/// From 1; ties share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> result(values.size());
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin + 1;
        while (end < order.size() && values[order[end]] == values[order[begin]]) {
            ++end;
        }
        for (std::size_t i = begin; i < end; ++i) {
            result[order[i]] = static_cast<double>(begin + 1 + end) / 2;
        }
        begin = end;
    }
    return result;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) {
        return *middle;
    }
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double relativeSpread(const std::vector<double>& values, double middle) {
    std::vector<double> deviations;
    for (const double value : values) {
        deviations.push_back(std::fabs(value - middle));
    }
    return middle == 0 ? 0 : median(std::move(deviations)) / middle;
}

bool twoPopulations(std::vector<double> values) {
    constexpr double kApart = 100;
    constexpr double kLeastShare = 0.2;
    std::sort(values.begin(), values.end());
    const double count = static_cast<double>(values.size());
    for (std::size_t i = 1; i < values.size(); ++i) {
        const double below = static_cast<double>(i);
        if (values[i] > kApart * std::max(values[i - 1], 1.0) && below >= kLeastShare * count &&
            count - below >= kLeastShare * count) {
            return true;
        }
    }
    return false;
}

double rankCorrelation(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() < 2 || a.size() != b.size()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const std::vector<double> x = ranks(a);
    const std::vector<double> y = ranks(b);
    const double meanX = mean(x);
    const double meanY = mean(y);
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - meanX) * (y[i] - meanY);
        xx += (x[i] - meanX) * (x[i] - meanX);
        yy += (y[i] - meanY) * (y[i] - meanY);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : std::numeric_limits<double>::quiet_NaN();
}

double splitHalfCorrelation(const std::vector<std::vector<double>>& repeats) {
    std::vector<double> even;
    std::vector<double> odd;
    for (const std::vector<double>& values : repeats) {
        if (values.size() < 2) {
            continue;
        }
        std::vector<double> halves[2];
        for (std::size_t i = 0; i < values.size(); ++i) {
            halves[i % 2].push_back(values[i]);
        }
        even.push_back(median(halves[0]));
        odd.push_back(median(halves[1]));
    }
    return rankCorrelation(even, odd);
}

} // namespace doppler::engine
