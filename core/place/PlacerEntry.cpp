#include "core/place/PlacerEntry.h"

#include <algorithm>

#include "core/sim/Simulator.h"

namespace doppler::place {

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
