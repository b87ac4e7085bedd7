#pragma once

#include <vector>

namespace doppler::engine {

/// Middle value (mean of the two middle ones of an even count). `values` must not be empty.
double median(std::vector<double> values);

/// Median of |value - middle|, as a share of `middle`; 0 where that is 0.
double relativeSpread(const std::vector<double>& values, double middle);

/// True if the samples are two populations at least a hundredfold apart, each with a fifth of them
/// or more: something else than chance lies between them, and no average says anything.
bool twoPopulations(std::vector<double> values);

/// Rank correlation (Spearman 1904) with mean ranks for ties: -1 to 1. NaN with fewer than two
/// pairs, or where one side is all ties. Both sides have the same length.
double rankCorrelation(const std::vector<double>& a, const std::vector<double>& b);

/// Repeats of a measurement by what was measured, each in the order in which they were made: rank
/// correlation of the medians of every other repeat with those of the rest. It is what another
/// measurement would agree to with this one; no prediction can do better. Things with fewer than
/// two repeats are left out; NaN where too few are left.
double splitHalfCorrelation(const std::vector<std::vector<double>>& repeats);

} // namespace doppler::engine
