#pragma once

#include <cstddef>

namespace doppler::place {

/// What is known of a sample: its size, mean, and variance (of a sample: divided by count - 1).
struct SampleMoments {
    std::size_t count = 0;
    double mean = 0;
    double variance = 0;
};

struct TTest {
    double t = 0;
    double degreesOfFreedom = 0;
    double pValue = 1; ///< two-sided
};

/// The regularised incomplete beta function I_x(a, b) for 0 <= x <= 1 and a, b > 0, by its
/// continued fraction (Lentz's method; Press et al., Numerical Recipes, section 6.4).
double incompleteBeta(double a, double b, double x);

/// P(|T| >= |t|) of Student's distribution; degrees of freedom above 0, need not be whole.
double studentTwoSided(double t, double degreesOfFreedom);

/// Welch's test of equal means for samples of unlike variances (Welch 1947, with Satterthwaite's
/// degrees of freedom). Both samples need two or more values. Without any variance the means
/// differ for certain or not at all: p is 0 or 1.
TTest welchTest(const SampleMoments& a, const SampleMoments& b);

/// Student's test of a sample of two or more values against a known mean. It is the limit of
/// Welch's test for a method without chance, whose mean is known from one run.
TTest oneSampleTest(const SampleMoments& sample, double mean);

} // namespace doppler::place
