#pragma once

#include <functional>
#include <string_view>

#include "core/graph/Ids.h"
#include "core/sim/Timeline.h"

namespace doppler::engine {

/// What the kernel knows about how undisturbed this process runs.
struct MachineLoad {
    /// Time that this process's threads were ready to run but had to wait for a processor (ns,
    /// /proc/self/task/*/schedstat). Threads that copy are left out: they have no processor of
    /// their own, and wait for those that compute.
    Time runDelay = 0;
    /// Threads of others that run or are ready to (/proc/loadavg).
    int others = 0;
};

/// The name of threads that copy between devices, as the system shows it (15 letters at most).
inline constexpr const char* kCopyThreadName = "copies";

/// Now. All 0 on a system that does not tell.
MachineLoad machineLoad();

/// The least of a few looks at how many others run. The kernel's count and the states of this
/// process's threads are read one after the other: a thread of ours that falls asleep in between
/// looks like somebody else's, once. Who computes is there at every look.
int leastOthers(const std::function<int()>& look);

/// Time that copies took, all together.
Time copyTimeOf(const sim::Timeline& timeline);

/// True if a run (or several: times are their sums) between two looks was left alone: nobody else
/// ran at either, and the threads waited for processors no longer than 5 % of the makespan, the
/// run's copies not counted (they have no processors of their own). `shared`: there are more
/// devices than processors; they wait for each other, so the wait says nothing.
bool wasQuiet(const MachineLoad& before, const MachineLoad& after, Time makespan, Time copyTime,
              bool shared);

/// The second number of a schedstat file; 0 for other text.
Time runDelayOf(std::string_view schedstat);

/// Threads that run or are ready to, out of a loadavg file ("0.5 0.4 0.3 2/345 678": 2); 0 for
/// other text.
int runnersOf(std::string_view loadavg);

/// True if a /proc/.../stat file is of a thread that runs or is ready to.
bool isRunner(std::string_view stat);

} // namespace doppler::engine
