#pragma once

#include <string>
#include <vector>

#include "core/io/JsonText.h"
#include "core/io/TextTable.h"
#include "core/place/Comparison.h"
#include "core/place/ComparisonModes.h"

namespace doppler::place {

/// One line a problem and method, for people. Cells without runs are left out.
io::TextTable readableTable(const Experiment& experiment, const Comparison& comparison);

/// The same in plain numbers, for scripts: "gap" is that of the mean to the bound, "best_gap" that
/// of the best run, both ratios; "peak_memory_bytes" is the most of all runs, "memory_overflow"
/// true if any does not fit; "noise" is the coefficient of variation that an objective over noisy
/// runs was taken with; "mean_in_other_mode" and "bsp_over_wc" come from `pairs`. What does not
/// apply is empty.
io::TextTable numberTable(const Experiment& experiment, const Comparison& comparison,
                          const std::vector<ModePair>& pairs = {});

/// Methods by problems, as a paper prints it: gap of the mean to the bound in percent, with the
/// standard deviation where there are several runs; the makespan where no bound holds.
io::TextTable paperTable(const Experiment& experiment, const Comparison& comparison);

/// An array of objects, one a cell that has runs: the members of numberTable(), "bound_name", and
/// "runs": [{seed, makespan, value, seconds, evaluations, peak_memory_bytes, memory_overflow,
/// notes}].
io::OrderedJson comparisonRows(const Experiment& experiment, const Comparison& comparison,
                               const std::vector<ModePair>& pairs = {});

/// "best", "worse", "alike", "untested", "no-spread", "unfit".
std::string standingName(Standing standing);
/// What the table says of it: "best", "* p 0.012", "p 0.31", "one run", "no spread", "does not
/// fit".
std::string standingText(const CellSummary& cell);
/// What those words mean that readableTable() has under "to best", in one line; or nothing.
std::string standingFootnote(const Comparison& comparison);

} // namespace doppler::place
