#pragma once

#include <vector>

#include "core/io/JsonText.h"
#include "core/io/TextTable.h"
#include "core/place/Comparison.h"

namespace doppler::place {

/// One method on one graph that was run in both execution modes, and what its placements take in
/// the mode that they were not found for. Means over the seeds of what is compared.
struct ModePair {
    std::size_t workConserving = 0; ///< problems of the experiment
    std::size_t bulkSynchronous = 0;
    std::size_t method = 0;
    double wc = 0;
    double bsp = 0;
    double wcPlacementInBsp = 0;
    double bspPlacementInWc = 0;
};

/// Evaluates every placement of such methods once.
std::vector<ModePair> modePairs(const Experiment& experiment, const Comparison& comparison);

/// Work-conserving beside bulk-synchronous, one line a pair, with the ratio of the two.
io::TextTable modeTable(const Experiment& experiment, const std::vector<ModePair>& pairs);

/// An array of objects, one a pair: graph, cluster, placer, wc, bsp, bsp_over_wc,
/// wc_placement_in_bsp, bsp_placement_in_wc.
io::OrderedJson modeRows(const Experiment& experiment, const std::vector<ModePair>& pairs);

} // namespace doppler::place
