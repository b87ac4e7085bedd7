#pragma once

#include <cstdint>
#include <vector>

#include "core/sim/Problem.h"
#include "core/sim/Timeline.h"

namespace doppler::sim {

/// How one device spent the makespan. busy + waiting + heldForMemory + nothingLeft = makespan x
/// slots.
struct DeviceUse {
    Time busy = 0;
    Time waitingForInput = 0;
    Time heldForMemory = 0;
    Time nothingLeft = 0; ///< after its last op
    std::int64_t peakMemory = 0;
    int ops = 0;
};

/// Figures of one timeline.
struct Report {
    Time makespan = 0;
    std::vector<DeviceUse> devices;
    std::vector<std::int64_t> trafficBytes; ///< D x D, from * D + to
    std::int64_t totalTraffic = 0;
    int crossDeviceEdges = 0;
    /// Busiest device's work over the mean, less one; 0 is perfect balance.
    double imbalance = 0;
    /// Busy share of all slots over the makespan.
    double meanUtilisation = 0;
    /// Interval indices from time 0 to the end of the makespan: walks the causes back from the
    /// last interval to end.
    std::vector<std::int32_t> criticalChain;
    /// By op: how much later it could end, with this order on every lane, without a longer
    /// makespan.
    std::vector<Time> slack;
    bool memoryOverflow = false;
};

Report makeReport(const Problem& problem, const Assignment& assignment, const Timeline& timeline);

} // namespace doppler::sim
