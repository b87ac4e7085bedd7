#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::sim {

/// A proven lower bound on the makespan of every assignment of a problem.
struct Bound {
    std::string name; ///< "area", "critical path", "device path", "head and tail", "communication"
    std::string description; ///< one sentence, e.g. "sum of work / sum of speed"
    Time value = 0;
    bool applies = true; ///< false: its assumptions do not hold here, value is 0
};

/// All bounds, largest first. Valid for every simulation option (with random durations: for
/// nothing; then only bounds of 0 are returned) and for both execution modes.
/// The communication-aware one costs up to tens of milliseconds on a few hundred ops and is left
/// out (applies = false) above a size where it would take seconds. Stopped, it is less tight.
std::vector<Bound> lowerBounds(const Problem& problem, const std::stop_token& stop = {});

/// The largest of them.
Bound lowerBound(const Problem& problem, const std::stop_token& stop = {});

/// makespan / bound - 1; 0 when the bound is 0.
double gap(Time makespan, Time bound);

} // namespace doppler::sim
