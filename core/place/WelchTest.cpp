#include "core/place/WelchTest.h"

#include <cmath>
#include <limits>

namespace doppler::place {

namespace {

/// The continued fraction of the incomplete beta function; converges fast for
/// x < (a + 1) / (a + b + 2).
double betaFraction(double a, double b, double x) {
    constexpr int kMostSteps = 1000;
    constexpr double kTiny = 1e-300;
    constexpr double kPrecision = 1e-15;
    const auto away = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
    double c = 1;
    double d = 1 / away(1 - (a + b) * x / (a + 1));
    double result = d;
    for (int i = 1; i <= kMostSteps; ++i) {
        const double m = i;
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away(1 + even * d);
        c = away(1 + even / c);
        result *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away(1 + odd * d);
        c = away(1 + odd / c);
        result *= d * c;
        if (std::abs(d * c - 1) < kPrecision) {
            break;
        }
    }
    return result;
}

TTest certain(double difference) {
    return {.t = difference == 0
                     ? 0
                     : std::copysign(std::numeric_limits<double>::infinity(), difference),
            .degreesOfFreedom = std::numeric_limits<double>::infinity(),
            .pValue = difference == 0 ? 1.0 : 0.0};
}

} // namespace

double incompleteBeta(double a, double b, double x) {
    if (x <= 0 || x >= 1) {
        return x <= 0 ? 0 : 1;
    }
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                  a * std::log(x) + b * std::log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a
                                     : 1 - front * betaFraction(b, a, 1 - x) / b;
}

double studentTwoSided(double t, double degreesOfFreedom) {
    return incompleteBeta(degreesOfFreedom / 2, 0.5, degreesOfFreedom / (degreesOfFreedom + t * t));
}

TTest welchTest(const SampleMoments& a, const SampleMoments& b) {
    const double errorA = a.variance / static_cast<double>(a.count);
    const double errorB = b.variance / static_cast<double>(b.count);
    const double error = errorA + errorB;
    if (error <= 0) {
        return certain(a.mean - b.mean);
    }
    TTest test;
    test.t = (a.mean - b.mean) / std::sqrt(error);
    test.degreesOfFreedom = error * error /
                            (errorA * errorA / static_cast<double>(a.count - 1) +
                             errorB * errorB / static_cast<double>(b.count - 1));
    test.pValue = studentTwoSided(test.t, test.degreesOfFreedom);
    return test;
}

TTest oneSampleTest(const SampleMoments& sample, double mean) {
    if (sample.variance <= 0) {
        return certain(sample.mean - mean);
    }
    TTest test;
    test.t = (sample.mean - mean) / std::sqrt(sample.variance / static_cast<double>(sample.count));
    test.degreesOfFreedom = static_cast<double>(sample.count - 1);
    test.pValue = studentTwoSided(test.t, test.degreesOfFreedom);
    return test;
}

} // namespace doppler::place
