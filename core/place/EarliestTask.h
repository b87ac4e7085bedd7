#pragma once

#include "core/place/ListSchedule.h"

namespace doppler::place {

/// Earliest task first under memory: always the (ready op, device with room) that can start
/// first; of equals the op of largest b-level. (Hwang, Chow, Anger, Lee: "Scheduling precedence
/// graphs in systems with interprocessor communication times", 1989; with memory: Jeon et al.,
/// "Baechi: fast device placement of machine learning graphs", 2020.)
ListSchedule earliestTaskSchedule(const sim::Problem& problem, MemoryCount memory);

} // namespace doppler::place
