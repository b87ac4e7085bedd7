#include "core/place/SearchStart.h"

namespace doppler::place {

std::optional<sim::Assignment> requestedStart(const PlaceRequest& request,
                                              std::vector<std::string>& notes) {
    if (!request.start) {
        return std::nullopt;
    }
    const sim::Problem& problem = *request.problem;
    sim::checkAssignment(problem, *request.start);
    sim::Assignment start = *request.start;
    int moved = 0;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        DeviceId& device = start[static_cast<std::size_t>(op)];
        const DeviceId pin = problem.pin(op);
        if (pin != kNoDevice && device != pin) {
            device = pin;
            ++moved;
        }
    }
    if (moved > 0) {
        notes.push_back("ops of the start that were moved to where they are pinned: " +
                        std::to_string(moved));
    }
    return start;
}

} // namespace doppler::place
