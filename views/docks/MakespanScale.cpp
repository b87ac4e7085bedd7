#include "views/docks/MakespanScale.h"

namespace doppler::views {

TimeScale makespanScale(const Workspace& workspace) {
    if (!workspace.hasProblem()) {
        return {};
    }
    Time reference = workspace.bound().value;
    for (const Placement& placement : workspace.placements()) {
        reference = reference > 0 ? reference : placement.makespan();
    }
    return timeScale(reference, workspace.problem()->costs->unit());
}

} // namespace doppler::views
