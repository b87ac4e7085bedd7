#include "core/engine/Processors.h"

#include <algorithm>
#include <thread>

#include <sched.h>

namespace doppler::engine {

std::vector<int> usableProcessors() {
    std::vector<int> list;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0) {
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(cpu, &set)) {
                list.push_back(cpu);
            }
        }
    }
    if (list.empty()) {
        for (unsigned cpu = 0; cpu < std::max(std::thread::hardware_concurrency(), 1U); ++cpu) {
            list.push_back(static_cast<int>(cpu));
        }
    }
    return list;
}

int sharedProcessors(std::string_view runtime, const cluster::Cluster& cluster) {
    int slots = 0;
    for (const cluster::Device& device : cluster.devices()) {
        slots += device.slots;
    }
    const auto processors = static_cast<int>(usableProcessors().size());
    return runtime == "cpu" && slots > processors ? processors : 0;
}

} // namespace doppler::engine
