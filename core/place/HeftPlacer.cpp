#include <algorithm>

#include "core/place/Heft.h"
#include "core/place/PlacerEntry.h"
#include "core/sim/PathLevels.h"

namespace doppler::place {

ListSchedule heftSchedule(const sim::Problem& problem, MemoryCount memory) {
    ListSchedule schedule(problem, Insertion::IntoGaps, memory);
    const std::vector<double> rank = sim::bLevels(problem);
    // Parents rank no lower than children; the stable sort keeps them first where ranks are equal.
    std::vector<OpId> order = problem.graph->topologicalOrder();
    std::stable_sort(order.begin(), order.end(), [&](OpId a, OpId b) {
        return rank[static_cast<std::size_t>(a)] > rank[static_cast<std::size_t>(b)];
    });
    for (const OpId op : order) {
        schedule.commit(op, schedule.earliestFinish(op));
    }
    return schedule;
}

namespace {

PlaceResult place(const PlaceRequest& request) {
    return evaluatedWithinMemory(request, [](const sim::Problem& problem, MemoryCount memory) {
        return heftSchedule(problem, memory).assignment();
    });
}

} // namespace

PlacerEntry heftPlacer() {
    return {{.name = "heft",
             .description = "Ops by mean distance to the end, each where it ends first.",
             .source = "Topcuoglu, Hariri, Wu 2002"},
            place};
}

} // namespace doppler::place
