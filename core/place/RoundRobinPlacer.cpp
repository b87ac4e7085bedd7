#include "core/place/PlacerEntry.h"

namespace doppler::place {

namespace {

PlaceResult place(const PlaceRequest& request) {
    const sim::Problem& problem = *request.problem;
    sim::Assignment assignment(static_cast<std::size_t>(problem.opCount()));
    for (OpId op = 0; op < problem.opCount(); ++op) {
        const DeviceId pin = problem.pin(op);
        assignment[static_cast<std::size_t>(op)] =
            pin != kNoDevice ? pin : op % problem.deviceCount();
    }
    return evaluated(request, std::move(assignment), pinNotes(problem));
}

} // namespace

PlacerEntry roundRobinPlacer() {
    return {
        {.name = "round-robin", .description = "Op i on device i modulo the number of devices."},
        place};
}

} // namespace doppler::place
