#include "core/sim/CommunicationBound.h"

#include <algorithm>

#include "core/sim/JacksonBound.h"

namespace doppler::sim {

namespace {

// Visits of ancestors, about ops x (ops + edges): some tenths of a second.
constexpr std::int64_t kMostSteps = 100'000'000;
// Jobs in machine bounds of one direction; half a second. What is left then keeps the values it
// has, which hold too.
constexpr std::int64_t kMostJobs = 6'000'000;
// Kinds of devices up to which a set that must share a device is tried on each.
constexpr std::size_t kMostMachines = 4;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Finds least starts on the graph, or with `reversed` on the graph with all edges turned round.
class LeastStarts {
public:
    LeastStarts(const Problem& problem, const LeastCosts& least, bool reversed)
        : problem_(problem)
        , graph_(*problem.graph)
        , least_(least)
        , reversed_(reversed)
        , order_(graph_.topologicalOrder())
        , position_(order_.size())
        , way_(order_.size())
        , forcedBelow_(order_.size())
        , rank_(order_.size()) {
        if (reversed) {
            std::reverse(order_.begin(), order_.end());
        }
        for (std::size_t i = 0; i < order_.size(); ++i) {
            position_[at(order_[i])] = i;
        }
        findMachines();
    }

    /// Stopped, the starts that are left stay as they are, which hold too.
    void improve(std::vector<Time>& starts, const std::stop_token& stop) {
        for (const OpId op : order_) {
            if (stop.stop_requested()) {
                return;
            }
            starts[at(op)] = std::max(starts[at(op)], leastStart(op, starts));
        }
    }

private:
    struct Edge {
        OpId source;
        Time transfer;
        bool alwaysMoves;
    };

    template <typename Visit>
    void forEachInEdge(OpId op, Visit visit) const {
        const auto edge = [&](EdgeId id, OpId source) {
            visit(Edge{source, least_.transfer[at(id)], least_.alwaysMoves[at(id)]});
        };
        if (reversed_) {
            for (EdgeId id = graph_.firstOutEdge(op); id < graph_.endOutEdge(op); ++id) {
                edge(id, graph_.target(id));
            }
        } else {
            for (const EdgeId id : graph_.inEdges(op)) {
                edge(id, graph_.source(id));
            }
        }
    }

    Time compute(OpId op) const { return least_.compute[at(op)]; }

    /// A kind of device that a set of ops may share: class of compute times, and slots.
    struct Machine {
        std::size_t cls;
        Time slots;
        bool operator==(const Machine&) const = default;
    };

    void findMachines() {
        for (DeviceId device = 0; device < problem_.deviceCount(); ++device) {
            const Machine machine = machineOf(device);
            mostSlots_ = std::max(mostSlots_, machine.slots);
            if (std::find(machines_.begin(), machines_.end(), machine) == machines_.end()) {
                machines_.push_back(machine);
            }
        }
    }

    Machine machineOf(DeviceId device) const {
        return {problem_.costs->deviceClass(device), problem_.cluster->device(device).slots};
    }

    Time leastStart(OpId target, const std::vector<Time>& starts) {
        const Time lowest = std::max(starts[at(target)], visitAncestors(target, starts));
        // Ops that are forced onto target's device at every t below forcedBelow_.
        std::erase_if(candidates_, [&](OpId op) { return forcedBelow_[at(op)] <= lowest; });
        if (candidates_.empty() || jobsLeft_ < 0 || allFitBelow(lowest, starts)) {
            return lowest;
        }
        std::sort(candidates_.begin(), candidates_.end(), [&](OpId a, OpId b) {
            return forcedBelow_[at(a)] != forcedBelow_[at(b)]
                       ? forcedBelow_[at(a)] > forcedBelow_[at(b)]
                       : a < b;
        });
        const std::size_t compatible = countCompatible(target);
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            rank_[at(candidates_[i])] = i;
        }
        byStart_.assign(candidates_.begin(), candidates_.end());
        std::sort(byStart_.begin(), byStart_.end(), [&](OpId a, OpId b) {
            return starts[at(a)] != starts[at(b)] ? starts[at(a)] < starts[at(b)] : a < b;
        });

        // With the first k candidates on one device, t is at least their machine bound, and at
        // least what sets candidate k free. The first rises with k, the second falls.
        const auto freeing = [&](std::size_t k) {
            return k < candidates_.size() ? forcedBelow_[at(candidates_[k])] : lowest;
        };
        std::size_t low = 0;
        std::size_t high = compatible;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (machineBound(target, middle, starts) >= freeing(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Time best = std::max(machineBound(target, low, starts), freeing(low));
        if (low > 0) {
            best =
                std::min(best, std::max(machineBound(target, low - 1, starts), freeing(low - 1)));
        }
        return std::max(lowest, best);
    }

    /// Fills way_ (start of the ancestor to start of target) and forcedBelow_ for all ancestors,
    /// and candidates_ with them. Returns the longest start + way.
    Time visitAncestors(OpId target, const std::vector<Time>& starts) {
        candidates_.clear();
        Time longest = 0;
        const DeviceId pin = problem_.pin(target);
        constexpr Time kUnseen = -1;
        for (std::size_t i = 0; i < position_[at(target)]; ++i) {
            way_[i] = kUnseen;
            forcedBelow_[at(order_[i])] = 0;
        }
        way_[position_[at(target)]] = 0;
        forcedBelow_[at(target)] = kNever;
        for (std::size_t i = position_[at(target)] + 1; i-- > 0;) {
            if (way_[i] == kUnseen) {
                continue;
            }
            const OpId op = order_[i];
            if (op != target) {
                if (pin != kNoDevice && problem_.pin(op) == pin) {
                    forcedBelow_[at(op)] = kNever;
                }
                longest = std::max(longest, starts[at(op)] + way_[i]);
                candidates_.push_back(op);
            }
            forEachInEdge(op, [&](const Edge& edge) {
                const Time end = compute(edge.source) + way_[i];
                const Time moved = end + edge.transfer;
                Time& way = way_[position_[at(edge.source)]];
                way = std::max(way, edge.alwaysMoves ? moved : end);
                if (!edge.alwaysMoves) {
                    Time& below = forcedBelow_[at(edge.source)];
                    below = std::max(below,
                                     std::min(forcedBelow_[at(op)],
                                              std::min(kNever, starts[at(edge.source)] + moved)));
                }
            });
        }
        return longest;
    }

    /// How many of the first candidates can share target's device, as far as pins say.
    std::size_t countCompatible(OpId target) const {
        DeviceId shared = problem_.pin(target);
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const DeviceId pin = problem_.pin(candidates_[i]);
            if (pin == kNoDevice) {
                continue;
            }
            if (shared != kNoDevice && pin != shared) {
                return i;
            }
            shared = pin;
        }
        return candidates_.size();
    }

    /// True if even all candidates on one device, on the kind of device that is slowest at each,
    /// one after the other in topological order, are done by `time`: then no set of them needs
    /// longer. Quick, and true at most ops of chains.
    bool allFitBelow(Time time, const std::vector<Time>& starts) {
        if (machines_.size() > 1) {
            return false;
        }
        Time end = 0;
        for (auto op = candidates_.rbegin(); op != candidates_.rend(); ++op) {
            end = std::max(end, starts[at(*op)]) + compute(*op);
            if (end + way_[position_[at(*op)]] - compute(*op) > time) {
                return false;
            }
        }
        return true;
    }

    /// The least start of the target if it shares a device with the first `count` candidates: on
    /// the best kind of device.
    Time machineBound(OpId target, std::size_t count, const std::vector<Time>& starts) {
        const DeviceId pin = problem_.pin(target);
        if (pin != kNoDevice) {
            const Machine machine = machineOf(pin);
            return machineBound(count, starts, &machine, machine.slots);
        }
        if (machines_.size() > kMostMachines) {
            return machineBound(count, starts, nullptr, mostSlots_);
        }
        Time least = kNever;
        for (const Machine& machine : machines_) {
            least = std::min(least, machineBound(count, starts, &machine, machine.slots));
        }
        return least;
    }

    /// Without a machine, ops take their least times.
    Time machineBound(std::size_t count, const std::vector<Time>& starts, const Machine* machine,
                      Time slots) {
        jobs_.clear();
        for (const OpId op : byStart_) {
            if (rank_[at(op)] < count) {
                const Time work =
                    machine == nullptr
                        ? compute(op)
                        : std::max(compute(op), problem_.costs->computeOfClass(op, machine->cls));
                jobs_.push_back({starts[at(op)] * slots, work,
                                 (way_[position_[at(op)]] - compute(op)) * slots});
            }
        }
        jobsLeft_ -= static_cast<std::int64_t>(jobs_.size()) + 1;
        const Time bound = jacksonBound<Time>(jobs_);
        return (bound + slots - 1) / slots;
    }

    const Problem& problem_;
    const graph::Graph& graph_;
    const LeastCosts& least_;
    bool reversed_;
    std::vector<Machine> machines_;
    Time mostSlots_ = 1;
    std::int64_t jobsLeft_ = kMostJobs;
    std::vector<OpId> order_;
    std::vector<std::size_t> position_;
    std::vector<Time> way_; // by position
    std::vector<Time> forcedBelow_;
    std::vector<std::size_t> rank_;
    std::vector<OpId> candidates_;
    std::vector<OpId> byStart_;
    std::vector<MachineJob<Time>> jobs_;
};

} // namespace

void improveByTransfers(const Problem& problem, const LeastCosts& least, HeadsAndTails& paths,
                        const std::stop_token& stop) {
    LeastStarts(problem, least, false).improve(paths.heads, stop);
    LeastStarts(problem, least, true).improve(paths.tails, stop);
}

bool transfersAffordable(const Problem& problem) {
    const std::int64_t ops = problem.opCount();
    return ops * (ops + problem.graph->edgeCount()) <= kMostSteps;
}

} // namespace doppler::sim
