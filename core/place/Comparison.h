#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/place/Experiment.h"
#include "core/place/RunStore.h"
#include "core/place/WelchTest.h"

namespace doppler::place {

/// How a method stands to the one with the least mean on the same problem. The test is two-sided
/// at 5 %, not corrected for the number of methods.
enum class Standing {
    Best,
    Worse,    ///< significantly
    Alike,    ///< no significant difference
    Untested, ///< one run of a method that depends on chance says nothing of its spread
    Fixed,    ///< neither varies: the difference of the means is no matter of chance
    Unfit,    ///< a run does not fit the memory, and the objective asks for that: not compared
};

/// Figures of one method on one problem over its seeds; traffic and imbalance are those of the best
/// run.
struct CellSummary {
    std::size_t problem = 0;
    std::size_t method = 0;
    int expectedRuns = 1;
    std::vector<std::shared_ptr<const RunRecord>> runs; ///< by seed; the rest is empty without any
    double mean = 0;
    double sd = 0;               ///< of a sample; 0 with one run
    std::size_t bestRun = 0;     ///< the least one, of those that fit where memory is hard
    int overflows = 0;           ///< runs that do not fit the memory
    std::int64_t peakMemory = 0; ///< of the fullest device of all runs
    /// Of the mean to the bound; none where no bound holds, or where a run overflows and that
    /// counts as a penalty: the bound knows of none.
    std::optional<double> gap;
    std::optional<double> bestGap; ///< of the best run
    double overBestKnown = 0;      ///< mean / best known - 1; 0 if there is none
    double overBestMean = 0;       ///< mean / that of the best method - 1; 0 if there is none
    Standing standing = Standing::Untested;
    /// Welch's test against the best method, where one was made: one of the two must vary.
    std::optional<TTest> test;
    double meanSeconds = 0;

    bool empty() const { return runs.empty(); }
    const RunRecord& best() const { return *runs[bestRun]; }
};

/// An experiment in numbers, as far as it has got. Its times are RunRecord::compared().
struct Comparison {
    std::vector<CellSummary> cells; ///< problem by problem, methods in order
    /// By problem: the least compared value of all runs in the store with this objective (if memory
    /// is hard: of those that fit), or the given makespan where that is the objective; 0 if there
    /// is none.
    std::vector<Time> bestKnown;
    /// By method: mean over problems of its rank by mean (ties share the mean of their ranks), only
    /// over problems where all methods have runs; what does not fit comes last. 0 if there is none.
    std::vector<double> meanRank;

    const CellSummary& cell(std::size_t problem, std::size_t method) const {
        return cells[problem * meanRank.size() + method];
    }
};

/// `known`: best known makespans by label of a problem, in its unit.
Comparison summarise(const Experiment& experiment, const RunStore& store,
                     const std::map<std::string, Time>& known = {});

} // namespace doppler::place
