#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/place/ComparisonRecord.h"
#include "core/place/Placer.h"
#include "core/sim/Bounds.h"

namespace doppler::place {

/// One problem of an experiment, with what is computed once for all of its runs.
struct ExperimentProblem {
    std::string label; ///< as a table names it
    std::shared_ptr<const sim::Problem> problem;
    std::string hash;
    sim::Bound bound; ///< value 0 where none holds
};

/// Computes hash and bound: up to tens of milliseconds.
ExperimentProblem prepareProblem(std::string label, std::shared_ptr<const sim::Problem> problem);

/// Problems x methods x seeds: what a comparison runs. A problem fixes graph, cluster, costs and
/// simulator, so one graph on two clusters or in two execution modes is two problems.
struct Experiment {
    std::vector<ExperimentProblem> problems;
    std::vector<std::string> methods; ///< names of placers
    int seeds = 1;                    ///< seeds 1, 2, ..., seeds
    double budgetSeconds = 2;         ///< of each run of a search
    /// Evaluations of each run of a search; then its time has no limit.
    std::optional<std::int64_t> maxEvaluations;
    std::string version; ///< of the program; runs of another one are made again
    Objective objective; ///< that methods make small and are compared by

    /// Runs of one cell: 1 for a method without chance.
    int runsOf(std::size_t method) const;
    RunKey key(std::size_t problem, std::size_t method, std::uint64_t seed) const;
    /// What no placement's compared value can be below; 0 where nothing is known: the bound is one
    /// of makespans without noise.
    Time boundOf(std::size_t problem) const;
    /// Of all cells.
    int totalRuns() const;
};

/// Throws InputError if `record`, read from `where`, is of a problem of the experiment and cannot
/// be one of its runs: another mode, an assignment that is none of the problem, a makespan below
/// the bound, or one that a simulation of the assignment does not have (records of another version
/// of the program may come from another simulator: they are not simulated). Records of other
/// problems pass.
void checkRun(const Experiment& experiment, const RunRecord& record, const std::string& where);

/// What the registry says of a placer. Throws InputError for an unknown one.
const PlacerInfo& placerInfo(const std::string& name);

} // namespace doppler::place
