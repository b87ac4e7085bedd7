#include "core/place/PlacerEntry.h"
#include "core/place/Random.h"

namespace doppler::place {

namespace {

PlaceResult place(const PlaceRequest& request) {
    const sim::Problem& problem = *request.problem;
    Random random(request.seed);
    sim::Assignment assignment(static_cast<std::size_t>(problem.opCount()));
    for (OpId op = 0; op < problem.opCount(); ++op) {
        const DeviceId pin = problem.pin(op);
        assignment[static_cast<std::size_t>(op)] =
            pin != kNoDevice ? pin : static_cast<DeviceId>(random.below(problem.deviceCount()));
    }
    return evaluated(request, std::move(assignment), pinNotes(problem));
}

} // namespace

PlacerEntry randomPlacer() {
    return {
        {.name = "random", .description = "Each op on a device drawn by chance.", .random = true},
        place};
}

} // namespace doppler::place
