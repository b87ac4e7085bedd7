#include <algorithm>
#include <optional>

#include "core/place/EarliestTask.h"
#include "core/place/FavouriteChildren.h"
#include "core/place/PlacerEntry.h"
#include "core/sim/PathLevels.h"

namespace doppler::place {

namespace {

// Ops x devices up to which looking at every ready op on every device is quick.
constexpr std::int64_t kLargest = 100'000;
// Looks at a ready op on a device: a few seconds' worth.
constexpr std::int64_t kMostLooks = 1'000'000'000;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Earliest task first, but a device whose last op has a favourite child that is ready, and can
/// start nowhere sooner than here, is kept for it: meanwhile it takes only urgent ops, those whose
/// inputs could be on every device by then.
class FavouriteFirst {
public:
    FavouriteFirst(const sim::Problem& problem, const FavouriteChildren& favourites,
                   MemoryCount memory)
        : graph_(*problem.graph)
        , devices_(problem.deviceCount())
        , favourites_(favourites)
        , schedule_(problem, Insertion::Append, memory)
        , level_(sim::bLevels(problem))
        , inputsThere_(at(problem.opCount()) * at(devices_), 0)
        , urgentFrom_(at(problem.opCount()), 0)
        , state_(at(problem.opCount()), State::Waiting)
        , lastOn_(at(devices_), kNoOp) {
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            missing_.push_back(graph_.inDegree(op));
            if (missing_.back() == 0) {
                makeReady(op);
            }
        }
    }

    /// None if stopped, or if there were too many ready ops to look at.
    std::optional<ListSchedule> run(const std::stop_token& stop) {
        std::int64_t looks = 0;
        while (!ready_.empty()) {
            looks += static_cast<std::int64_t>(ready_.size()) * devices_;
            if (looks > kMostLooks || stop.stop_requested()) {
                return std::nullopt;
            }
            const auto [op, device] = next();
            plan(op, device);
        }
        return std::move(schedule_);
    }

private:
    enum class State : std::uint8_t { Waiting, Ready, Planned };
    struct Choice {
        OpId op = kNoOp;
        DeviceId device = kNoDevice;
    };

    Time inputsThere(OpId op, DeviceId device) const {
        return inputsThere_[at(op) * at(devices_) + at(device)];
    }
    Time earliestStart(OpId op, DeviceId device) const {
        return std::max(schedule_.freeAt(device), inputsThere(op, device));
    }

    void makeReady(OpId op) {
        ready_.push_back(op);
        state_[at(op)] = State::Ready;
        for (DeviceId device = 0; device < devices_; ++device) {
            const Time there = schedule_.inputsThere(op, device);
            inputsThere_[at(op) * at(devices_) + at(device)] = there;
            urgentFrom_[at(op)] = std::max(urgentFrom_[at(op)], there);
        }
    }

    /// The op that `device` is kept for, or kNoOp.
    OpId keptFor(DeviceId device) const {
        const OpId last = lastOn_[at(device)];
        const OpId child = last == kNoOp ? kNoOp : favourites_.child[at(last)];
        if (child == kNoOp || state_[at(child)] != State::Ready ||
            !schedule_.allowed(child, device)) {
            return kNoOp;
        }
        for (DeviceId other = schedule_.firstDevice(child); other < schedule_.endDevice(child);
             ++other) {
            if (earliestStart(child, other) < earliestStart(child, device)) {
                return kNoOp;
            }
        }
        return child;
    }

    Choice next() const {
        Choice best;
        Time bestStart = 0;
        for (DeviceId device = 0; device < devices_; ++device) {
            const OpId kept = keptFor(device);
            for (const OpId op : ready_) {
                if (device < schedule_.firstDevice(op) || device >= schedule_.endDevice(op)) {
                    continue;
                }
                Time start = earliestStart(op, device);
                if (kept != kNoOp && op != kept) {
                    start = std::max(start, urgentFrom_[at(op)]);
                }
                const bool sooner = best.op == kNoOp || start < bestStart ||
                                    (start == bestStart && level_[at(op)] > level_[at(best.op)]);
                if (sooner && schedule_.allowed(op, device)) {
                    best = {op, device};
                    bestStart = start;
                }
            }
        }
        return best;
    }

    void plan(OpId op, DeviceId device) {
        schedule_.commit(op, schedule_.earliest(op, device));
        state_[at(op)] = State::Planned;
        lastOn_[at(device)] = op;
        ready_.erase(std::find(ready_.begin(), ready_.end(), op));
        for (EdgeId edge = graph_.firstOutEdge(op); edge < graph_.endOutEdge(op); ++edge) {
            if (--missing_[at(graph_.target(edge))] == 0) {
                makeReady(graph_.target(edge));
            }
        }
    }

    const graph::Graph& graph_;
    DeviceId devices_;
    const FavouriteChildren& favourites_;
    ListSchedule schedule_;
    std::vector<double> level_;
    std::vector<Time> inputsThere_; // op-major; of ready ops
    std::vector<Time> urgentFrom_;
    std::vector<State> state_;
    std::vector<OpId> lastOn_; // by device
    std::vector<std::int32_t> missing_;
    std::vector<OpId> ready_;
};

PlaceResult place(const PlaceRequest& request) {
    const sim::Problem& problem = *request.problem;
    const std::int64_t size = std::int64_t{problem.opCount()} * problem.deviceCount();
    if (size > kLargest) {
        PlaceResult result =
            evaluatedWithinMemory(request, [](const sim::Problem& each, MemoryCount memory) {
                return earliestTaskSchedule(each, memory).assignment();
            });
        result.notes.emplace_back("too large to keep devices for favourite children: as m-etf");
        return result;
    }
    const FavouriteChildren favourites = favouriteChildren(problem, request.stop);
    bool givenUp = false;
    PlaceResult result = evaluatedWithinMemory(request, [&](const sim::Problem& each,
                                                            MemoryCount memory) {
        if (!givenUp) {
            if (const auto schedule = FavouriteFirst(each, favourites, memory).run(request.stop)) {
                return schedule->assignment();
            }
            givenUp = true;
        }
        return earliestTaskSchedule(each, memory).assignment();
    });
    if (givenUp) {
        result.notes.emplace_back(
            request.stop.stop_requested()
                ? "stopped: as m-etf"
                : "too wide to keep devices for favourite children: as m-etf");
    }
    if (!favourites.note.empty()) {
        result.notes.push_back(favourites.note);
    }
    return result;
}

} // namespace

PlacerEntry mSctPlacer() {
    return {{.name = "m-sct",
             .description = "As m-etf, but an op's favourite child, from a linear program, follows "
                            "on its device.",
             .source = "Hanen, Munier 1995; Baechi: Jeon et al. 2020"},
            place};
}

} // namespace doppler::place
