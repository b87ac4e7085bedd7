#include "core/place/PlacerEntry.h"

namespace doppler::place {

namespace {

DeviceId pinnedOr(const sim::Problem& problem, OpId op, DeviceId device) {
    const DeviceId pin = problem.pin(op);
    return pin == kNoDevice ? device : pin;
}

/// Time that all ops which may run on `device` need there, all slots busy.
double workOn(const sim::Problem& problem, DeviceId device) {
    double work = 0;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        if (pinnedOr(problem, op, device) == device) {
            work += static_cast<double>(problem.costs->compute(op, device));
        }
    }
    return work / problem.cluster->device(device).slots;
}

PlaceResult place(const PlaceRequest& request) {
    const sim::Problem& problem = *request.problem;
    DeviceId best = 0;
    double least = workOn(problem, 0);
    for (DeviceId device = 1; device < problem.deviceCount(); ++device) {
        const double work = workOn(problem, device);
        if (work < least) {
            least = work;
            best = device;
        }
    }
    sim::Assignment assignment(static_cast<std::size_t>(problem.opCount()));
    for (OpId op = 0; op < problem.opCount(); ++op) {
        assignment[static_cast<std::size_t>(op)] = pinnedOr(problem, op, best);
    }
    return evaluated(request, std::move(assignment), pinNotes(problem));
}

} // namespace

PlacerEntry singlePlacer() {
    return {{.name = "single", .description = "All ops on the device that is quickest at them."},
            place};
}

} // namespace doppler::place
