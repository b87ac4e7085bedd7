#pragma once

#include <optional>
#include <string>

#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::sim {

/// The part of findViolation() about lanes: none used twice at once, none idle while wanted,
/// barriers kept. Takes a timeline whose ids and order are right.
std::optional<std::string> findLaneViolation(const Problem& problem, const Timeline& timeline,
                                             Time tolerance);

/// An interval in words: "op "a" on device 0 from 3 to 7".
std::string describe(const graph::Graph& graph, const Interval& interval);

} // namespace doppler::sim
