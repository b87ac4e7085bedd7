#pragma once

#include "core/place/ListSchedule.h"

namespace doppler::place {

/// Critical path on a processor: the ready op of largest upward plus downward rank first; ops of
/// one critical path go to the device that runs it fastest, all others where they end first, gaps
/// used. (Topcuoglu, Hariri, Wu: "Performance-effective and low-complexity task scheduling for
/// heterogeneous computing", 2002.) Pinned ops of the path stay where they are.
ListSchedule cpopSchedule(const sim::Problem& problem, MemoryCount memory = MemoryCount::Off);

} // namespace doppler::place
