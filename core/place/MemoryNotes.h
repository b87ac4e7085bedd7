#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::place {

/// "does not fit the memory of CPU 0: needs 2.450 GB of 1.000 kB" for each device that is too small
/// for the placement, as simulated; none where it fits.
std::vector<std::string> memoryNotes(const std::shared_ptr<const sim::Problem>& problem,
                                     const sim::Assignment& assignment);

} // namespace doppler::place
