#include "core/place/MemoryNotes.h"

#include "core/cost/FormatQuantity.h"
#include "core/place/MemoryLedger.h"
#include "core/sim/Simulator.h"

namespace doppler::place {

std::vector<std::string> memoryNotes(const std::shared_ptr<const sim::Problem>& problem,
                                     const sim::Assignment& assignment) {
    std::vector<std::string> notes;
    if (surelyFits(*problem, assignment)) {
        return notes;
    }
    const sim::Timeline timeline = sim::Simulator(problem).run(assignment);
    for (DeviceId id = 0; id < problem->deviceCount(); ++id) {
        const cluster::Device& device = problem->cluster->device(id);
        const std::int64_t peak = timeline.peakMemory[static_cast<std::size_t>(id)];
        if (device.capacityBytes > 0 && peak > device.capacityBytes) {
            notes.push_back("does not fit the memory of " + device.name + ": needs " +
                            cost::formatBytes(peak) + " of " +
                            cost::formatBytes(device.capacityBytes));
        }
    }
    return notes;
}

} // namespace doppler::place
