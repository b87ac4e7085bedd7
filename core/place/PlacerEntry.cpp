#include "core/place/PlacerEntry.h"

#include <algorithm>

#include "core/graph/SaturatingMath.h"
#include "core/sim/Simulator.h"

namespace doppler::place {

namespace {

/// Bytes by which the peak of each device exceeds its capacity, added up.
std::int64_t overflowBytes(const std::shared_ptr<const sim::Problem>& problem,
                           const sim::Assignment& assignment) {
    if (surelyFits(*problem, assignment)) {
        return 0;
    }
    const sim::Timeline timeline = sim::Simulator(problem).run(assignment);
    std::int64_t bytes = 0;
    for (DeviceId device = 0; device < problem->deviceCount(); ++device) {
        const std::int64_t capacity = problem->cluster->device(device).capacityBytes;
        const std::int64_t peak = timeline.peakMemory[static_cast<std::size_t>(device)];
        if (capacity > 0 && peak > capacity) {
            bytes = graph::saturatingAdd(bytes, peak - capacity);
        }
    }
    return bytes;
}

} // namespace

PlaceResult evaluated(const PlaceRequest& request, sim::Assignment assignment,
                      std::vector<std::string> notes) {
    PlaceResult result;
    sim::checkAssignment(*request.problem, assignment);
    result.makespan = sim::Simulator(request.problem).makespan(assignment);
    result.assignment = std::move(assignment);
    result.evaluations = 1;
    result.notes = std::move(notes);
    return result;
}

PlaceResult evaluatedWithinMemory(const PlaceRequest& request, const MemoryRule& rule) {
    return evaluated(request, withinMemory(request, rule), pinNotes(*request.problem));
}

sim::Assignment withinMemory(const PlaceRequest& request, const MemoryRule& rule) {
    const sim::Problem& problem = *request.problem;
    sim::Assignment best = rule(problem, MemoryCount::Off);
    if (memoryMatters(problem) && !request.stop.stop_requested()) {
        std::int64_t least = overflowBytes(request.problem, best);
        for (const MemoryCount count : {MemoryCount::Live, MemoryCount::Sum}) {
            if (least == 0 || request.stop.stop_requested()) {
                break;
            }
            sim::Assignment next = rule(problem, count);
            const std::int64_t overflow = overflowBytes(request.problem, next);
            if (overflow < least) {
                least = overflow;
                best = std::move(next);
            }
        }
    }
    return best;
}

std::vector<std::string> pinNotes(const sim::Problem& problem) {
    const auto pinned = std::count_if(problem.pins.begin(), problem.pins.end(),
                                      [](DeviceId pin) { return pin != kNoDevice; });
    if (pinned == 0) {
        return {};
    }
    return {pinned == 1 ? "1 pinned op stays on its device"
                        : std::to_string(pinned) + " pinned ops stay on their devices"};
}

} // namespace doppler::place
