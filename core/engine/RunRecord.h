#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/RunPlan.h"
#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::engine {

/// What is written down about one task while it runs; all else is found out afterwards. Tasks are
/// numbered: ops, then copies.
struct TaskRecord {
    Time start = 0; ///< since the start of the run
    Time end = 0;
    std::int32_t order = -1;   ///< of dispatch
    std::int32_t slot = 0;     ///< of an op
    std::int32_t onLane = -1;  ///< task that was on its lane before
    std::int32_t freedBy = -1; ///< task that freed memory last, if memory held it back
};

/// The timeline of a run that is done: intervals by (start, dispatch), with their causes. All but
/// the peak memory.
sim::Timeline buildTimeline(const sim::Problem& problem, const sim::Assignment& assignment,
                            const RunPlan& plan, const std::vector<TaskRecord>& records);

} // namespace doppler::engine
