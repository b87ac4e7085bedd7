#pragma once

#include <string>
#include <vector>

#include "core/place/Comparison.h"
#include "core/place/ExperimentRunner.h"

/// Experiments on a chain of ops, and runs for their tables.
namespace doppler::tests {

place::Experiment chainExperiment(std::vector<std::string> methods, int seeds);

/// A run with that makespan, as if a placer had made it.
void addRun(place::RunStore& store, const place::Experiment& experiment, std::size_t method,
            std::uint64_t seed, Time makespan, bool overflow = false);

} // namespace doppler::tests
