#pragma once

#include "core/place/ListSchedule.h"

namespace doppler::place {

/// Heterogeneous earliest finish time: ops by upward rank, each where it ends first, gaps used.
/// (Topcuoglu, Hariri, Wu: "Performance-effective and low-complexity task scheduling for
/// heterogeneous computing", 2002.)
ListSchedule heftSchedule(const sim::Problem& problem, MemoryCount memory = MemoryCount::Off);

} // namespace doppler::place
