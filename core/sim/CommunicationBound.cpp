#include "core/sim/CommunicationBound.h"

#include <algorithm>

#include "core/sim/JacksonBound.h"

namespace doppler::sim {

namespace {

// Steps of the whole computation, about ops x (ops + edges); a second or less.
constexpr std::int64_t kMostSteps = 100'000'000;

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
        for (const cluster::Device& device : problem.cluster->devices()) {
            slots_ = std::max<Time>(slots_, device.slots);
        }
    }

    void improve(std::vector<Time>& starts) {
        for (const OpId op : order_) {
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

    Time leastStart(OpId target, const std::vector<Time>& starts) {
        const Time lowest = std::max(starts[at(target)], visitAncestors(target, starts));
        // Ops that are forced onto target's device at every t below forcedBelow_.
        std::erase_if(candidates_, [&](OpId op) { return forcedBelow_[at(op)] <= lowest; });
        if (candidates_.empty()) {
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
            if (machineBound(middle, starts) >= freeing(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Time best = std::max(machineBound(low, starts), freeing(low));
        if (low > 0) {
            best = std::min(best, std::max(machineBound(low - 1, starts), freeing(low - 1)));
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

    Time machineBound(std::size_t count, const std::vector<Time>& starts) {
        jobs_.clear();
        for (const OpId op : byStart_) {
            if (rank_[at(op)] < count) {
                jobs_.push_back({starts[at(op)] * slots_, compute(op),
                                 (way_[position_[at(op)]] - compute(op)) * slots_});
            }
        }
        const Time bound = jacksonBound<Time>(jobs_);
        return (bound + slots_ - 1) / slots_;
    }

    const Problem& problem_;
    const graph::Graph& graph_;
    const LeastCosts& least_;
    bool reversed_;
    Time slots_ = 1;
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

void improveByTransfers(const Problem& problem, const LeastCosts& least, HeadsAndTails& paths) {
    LeastStarts(problem, least, false).improve(paths.heads);
    LeastStarts(problem, least, true).improve(paths.tails);
}

bool transfersAffordable(const Problem& problem) {
    const std::int64_t ops = problem.opCount();
    return ops * (ops + problem.graph->edgeCount()) <= kMostSteps;
}

} // namespace doppler::sim
