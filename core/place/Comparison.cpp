#include "core/place/Comparison.h"

#include <algorithm>
#include <cmath>

#include "core/place/Registry.h"
#include "core/sim/Report.h"
#include "core/sim/Simulator.h"

namespace doppler::place {

namespace {

bool dependsOnSeed(const std::string& placer) {
    return std::any_of(placers().begin(), placers().end(), [&](const PlacerInfo& info) {
        return info.name == placer && (info.random || info.search);
    });
}

void summarise(MethodSummary& summary, const std::shared_ptr<const sim::Problem>& problem) {
    const auto count = static_cast<double>(summary.runs.size());
    for (std::size_t i = 0; i < summary.runs.size(); ++i) {
        const PlaceResult& result = summary.runs[i].result;
        summary.meanMakespan += static_cast<double>(result.makespan) / count;
        summary.meanSeconds += result.seconds / count;
        if (result.makespan < summary.best().result.makespan) {
            summary.bestRun = i;
        }
    }
    double squares = 0;
    for (const ComparisonRun& run : summary.runs) {
        const double off = static_cast<double>(run.result.makespan) - summary.meanMakespan;
        squares += off * off;
    }
    summary.sd = count > 1 ? std::sqrt(squares / (count - 1)) : 0;

    const sim::Assignment& best = summary.best().result.assignment;
    const sim::Report report = sim::makeReport(*problem, best, sim::simulate(problem, best));
    summary.trafficBytes = report.totalTraffic;
    summary.imbalance = report.imbalance;
    summary.memoryOverflow = report.memoryOverflow;
    for (const sim::DeviceUse& device : report.devices) {
        summary.peakMemory = std::max(summary.peakMemory, device.peakMemory);
    }
}

} // namespace

MethodSummary compareMethod(const ComparisonRequest& request) {
    MethodSummary summary;
    summary.placer = request.placer;
    const std::unique_ptr<Placer> placer = makePlacer(request.placer);
    const int seeds = dependsOnSeed(request.placer) ? request.seeds : 1;
    for (int seed = 1; seed <= seeds && !request.stop.stop_requested(); ++seed) {
        PlaceRequest place;
        place.problem = request.problem;
        place.seed = static_cast<std::uint64_t>(seed);
        place.budgetSeconds = request.budgetSeconds;
        place.stop = request.stop;
        place.progress = request.progress;
        summary.runs.push_back({.seed = place.seed, .result = placer->place(place)});
    }
    if (!summary.runs.empty()) {
        summarise(summary, request.problem);
    }
    return summary;
}

} // namespace doppler::place
