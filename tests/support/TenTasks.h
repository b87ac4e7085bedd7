#pragma once

#include "core/sim/Problem.h"

namespace doppler::tests {

/// The ten-task example of Topcuoglu, Hariri, Wu (2002), figure 2 and table 1: three unlike
/// processors, all links alike. HEFT's schedule takes 80, CPOP's 86.
sim::Problem topcuogluTenTasks();

/// The ten-task example of Arabnejad, Barbosa (2014), figure 2 and table 1: three unlike
/// processors. PEFT's schedule takes 122, HEFT's 133.
sim::Problem arabnejadTenTasks();

} // namespace doppler::tests
