#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/Executor.h"

namespace doppler::engine {

/// How well does the simulator predict a runtime?
struct FidelityRequest {
    /// What is simulated. Costs in ns.
    std::shared_ptr<const sim::Problem> problem;
    /// What executes: of the same graph and cluster (see Executor). `runtime` must outlive the
    /// call.
    std::shared_ptr<const sim::Problem> executed;
    Runtime* runtime = nullptr;
    std::vector<sim::Assignment> assignments;
    int repeats = 9;
    int warmUps = 3;
    /// True: every run counts, whatever else the machine does. Emulated runs always count.
    bool anyLoad = false;
    /// More devices than processors (see wasQuiet()).
    bool shared = false;
    std::uint64_t seed = 1;
    std::stop_token stop;
    /// Share done 0..1 and what goes on; may be empty.
    std::function<void(double, const std::string&)> progress;
};

/// One assignment, simulated and measured.
struct FidelityRow {
    Time simulated = 0;            ///< ns
    std::optional<Time> measured;  ///< ns, median of the accepted runs; none: too few were accepted
    std::vector<double> makespans; ///< ns, of the accepted runs, as they were made
    int rejected = 0;

    /// simulated / measured - 1; only if measured.
    double error() const;
};

struct Fidelity {
    Outcome outcome = Outcome::Done; ///< Cancelled: the figures are of the runs before
    std::string message;             ///< of a run that failed
    std::vector<FidelityRow> rows;   ///< as the assignments
    int accepted = 0;                ///< runs
    int rejected = 0;                ///< runs that something else disturbed
    int measured = 0;                ///< assignments
    double medianError = 0;          ///< of |error()|
    double worstError = 0;
    double rankCorrelation = 0; ///< NaN: not defined
    double splitHalf = 0;       ///< see splitHalfCorrelation()

    /// At least half of the assignments, and two, were measured: the figures mean something.
    bool usable() const { return measured >= 2 && 2 * measured >= static_cast<int>(rows.size()); }
};

/// Assignments whose simulated makespans lie evenly between that of the best which annealing finds
/// within `evaluations` and the worst of the rest, best first: copies of the best in which ops were
/// moved, from a few to all of them, to any device or mostly to one, up to all on one device. Ops
/// that are pinned stay. Deterministic.
std::vector<sim::Assignment>
assignmentsOfAllQualities(const std::shared_ptr<const sim::Problem>& problem, int count,
                          std::uint64_t seed, std::int64_t evaluations,
                          const std::stop_token& stop = {});

/// Simulates and measures each assignment: warm-ups, then rounds in random order over all
/// assignments, until each has its repeats. Runs that were disturbed (see wasQuiet()) are rejected
/// and made again, as long as rounds are not three times the repeats, and not after as many rounds
/// as repeats without one accepted. Throws what Executor::prepare() throws.
Fidelity measureFidelity(const FidelityRequest& request);

} // namespace doppler::engine
