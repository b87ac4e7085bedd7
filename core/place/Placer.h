#pragma once

/// core/place: everything that turns a problem into an assignment by rule or by search. Uses all
/// of core above it. A new placer is one file and one line in Registry.cpp.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/place/Objective.h"
#include "core/sim/Problem.h"

namespace doppler::place {

/// What a search has found so far. Sent at most about 20 times a second, from the placer's thread.
struct PlaceProgress {
    double seconds = 0;  ///< since the start
    double fraction = 0; ///< of the budget, 0..1; negative if unknown
    Time best = 0;       ///< value of the objective
    std::int64_t evaluations = 0;
    /// The best assignment, only if it improved since the last report.
    std::shared_ptr<const sim::Assignment> improved;
};

struct PlaceRequest {
    std::shared_ptr<const sim::Problem> problem;
    std::uint64_t seed = 1;
    /// Time a search may take; rules ignore it.
    double budgetSeconds = 2;
    /// Evaluations a search may take, or none; with it a search is repeatable to the bit.
    std::optional<std::int64_t> maxEvaluations;
    /// What a search makes small; of a rule's placement it is only recorded.
    Objective objective;
    std::stop_token stop;
    std::function<void(const PlaceProgress&)> progress; ///< may be empty
    /// Where a search starts; empty: where it thinks best.
    std::optional<sim::Assignment> start;
};

struct PlaceResult {
    sim::Assignment assignment;
    Time makespan = 0; ///< of the problem's simulator
    Objective objective;
    Time value = 0; ///< of the objective
    /// Noisy runs that the value is over, if a stop left the placement without its full number;
    /// else 0.
    int valueRuns = 0;
    /// A lower bound of the value of every placement that the placer itself proved; equal to
    /// `value`: this one is optimal.
    std::optional<Time> provedBound;
    double seconds = 0;
    std::int64_t evaluations = 0;
    /// What could not be honoured or is worth knowing, in sentences.
    std::vector<std::string> notes;
};

struct PlacerInfo {
    std::string name;        ///< "critical-path"
    std::string description; ///< one sentence
    std::string source;      ///< paper or origin, may be empty
    bool search = false;     ///< uses the budget
    bool random = false;     ///< the seed matters
};

/// Turns a problem into an assignment. Honours pins; deterministic for a seed (searches: for a seed
/// and maxEvaluations); returns the best found when stopped.
class Placer {
public:
    virtual ~Placer() = default;
    virtual PlaceResult place(const PlaceRequest& request) const = 0;
};

} // namespace doppler::place
