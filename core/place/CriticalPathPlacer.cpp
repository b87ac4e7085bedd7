#include "core/place/CriticalPath.h"
#include "core/place/PlacerEntry.h"
#include "core/place/ReadyQueue.h"
#include "core/sim/PathLevels.h"
#include "core/sim/Simulator.h"

namespace doppler::place {

namespace {

// Ties are drawn this many times, and the best outcome counts.
constexpr int kDraws = 8;
// Ops x devices up to which that is quick.
constexpr std::int64_t kLargestRedrawn = 200'000;

/// The slot of earliest start, or of earliest finish on unlike devices; ties by chance.
class DeviceChoice {
public:
    DeviceChoice(const sim::Problem& problem, std::uint64_t seed)
        : byStart_(problem.costs->deviceClasses() == 1), random_(seed) {}

    Slot choose(const ListSchedule& schedule, OpId op) {
        best_.clear();
        for (DeviceId device = schedule.firstDevice(op); device < schedule.endDevice(op);
             ++device) {
            if (!schedule.allowed(op, device)) {
                continue;
            }
            const Slot slot = schedule.earliest(op, device);
            if (best_.empty() || rank(slot) < rank(best_.front())) {
                best_.assign(1, slot);
            } else if (rank(slot) == rank(best_.front())) {
                best_.push_back(slot);
            }
        }
        return best_[random_.below(best_.size())];
    }

private:
    Time rank(const Slot& slot) const { return byStart_ ? slot.start : slot.end; }

    bool byStart_;
    Random random_;
    std::vector<Slot> best_;
};

} // namespace

ListSchedule criticalPathSchedule(const sim::Problem& problem, std::uint64_t seed,
                                  MemoryCount memory) {
    ListSchedule schedule(problem, Insertion::Append, memory);
    const std::vector<double> levels = sim::bLevels(problem);
    ReadyQueue ready(*problem.graph, levels, seed);
    DeviceChoice choice(problem, seed);
    while (!ready.empty()) {
        const OpId op = ready.take();
        schedule.commit(op, choice.choose(schedule, op));
    }
    return schedule;
}

sim::Assignment bestCriticalPath(const std::shared_ptr<const sim::Problem>& problem,
                                 std::uint64_t seed) {
    Random seeds(seed);
    sim::Assignment best = criticalPathSchedule(*problem, seeds.next()).assignment();
    if (problem->opCount() * std::int64_t{problem->deviceCount()} > kLargestRedrawn) {
        return best;
    }
    sim::Simulator simulator(problem);
    Time bestMakespan = simulator.makespan(best);
    for (int draw = 1; draw < kDraws; ++draw) {
        sim::Assignment next = criticalPathSchedule(*problem, seeds.next()).assignment();
        const Time makespan = simulator.makespan(next);
        if (makespan < bestMakespan) {
            bestMakespan = makespan;
            best = std::move(next);
        }
    }
    return best;
}

namespace {

PlaceResult place(const PlaceRequest& request) {
    return evaluated(request, bestCriticalPath(request.problem, request.seed),
                     pinNotes(*request.problem));
}

} // namespace

PlacerEntry criticalPathPlacer() {
    return {{.name = "critical-path",
             .description = "The ready op with the longest way to the end, where it starts first.",
             .source = "Kohler 1975; the baseline of the DOPPLER paper",
             .random = true},
            place};
}

} // namespace doppler::place
