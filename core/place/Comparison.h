#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/place/Placer.h"

namespace doppler::place {

/// One run of one placer on one problem.
struct ComparisonRun {
    std::uint64_t seed = 0;
    PlaceResult result;
};

/// What a table of methods says about one placer: figures over its seeds. Traffic, imbalance and
/// memory are those of the best run.
struct MethodSummary {
    std::string placer;
    std::vector<ComparisonRun> runs; ///< by seed; never empty unless stopped before the first
    double meanMakespan = 0;
    double sd = 0; ///< of a sample; 0 with one run
    std::size_t bestRun = 0;
    std::int64_t trafficBytes = 0;
    double imbalance = 0;
    std::int64_t peakMemory = 0; ///< of the fullest device
    bool memoryOverflow = false;
    double meanSeconds = 0;

    const ComparisonRun& best() const { return runs[bestRun]; }
};

struct ComparisonRequest {
    std::shared_ptr<const sim::Problem> problem;
    std::string placer;
    int seeds = 1; ///< 1, 2, ..., seeds; a placer without chance runs once
    double budgetSeconds = 2;
    std::stop_token stop;
    std::function<void(const PlaceProgress&)> progress; ///< of the run in progress; may be empty
};

/// Runs one placer over its seeds. After a stop, the runs made so far (the stopped one included).
/// Throws InputError for an unknown placer.
MethodSummary compareMethod(const ComparisonRequest& request);

} // namespace doppler::place
