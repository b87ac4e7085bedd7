#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "core/graph/Topology.h"
#include "core/place/PlacerEntry.h"

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Ops that do the same to different blocks: same level, operator, time and output size.
std::vector<std::vector<OpId>> groupsInOrder(const sim::Problem& problem) {
    const graph::Graph& graph = *problem.graph;
    const std::vector<std::int32_t> level = graph::levels(graph);
    std::vector<std::vector<OpId>> groups;
    using Key = std::tuple<std::int32_t, std::string_view, double, std::int64_t>;
    std::map<Key, std::size_t> known;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        const Key key{level[at(op)], graph.kindName(op), problem.costs->meanCompute(op),
                      graph.outputBytes(op)};
        const auto [entry, fresh] = known.emplace(key, groups.size());
        if (fresh) {
            groups.emplace_back();
        }
        groups[entry->second].push_back(op);
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const std::vector<OpId>& a, const std::vector<OpId>& b) {
                         return level[at(a.front())] < level[at(b.front())];
                     });
    return groups;
}

bool reduces(graph::OpKind kind) {
    return kind == graph::OpKind::Formation || kind == graph::OpKind::Reduction;
}

/// What a choice for a group would come to; the least is taken.
struct GroupCost {
    std::int64_t overflow = 0; ///< bytes beyond capacities; 0 unless memory is counted
    double busiest = 0;        ///< work plus moves of the busiest device
    double sum = 0;            ///< over all devices
    bool operator<(const GroupCost& other) const {
        return std::tie(overflow, busiest, sum) <
               std::tie(other.overflow, other.busiest, other.sum);
    }
};

class Enumeration {
public:
    Enumeration(const sim::Problem& problem, MemoryCount memory)
        : problem_(problem)
        , graph_(*problem.graph)
        , countMemory_(memory != MemoryCount::Off)
        , assignment_(at(problem.opCount()), kNoDevice)
        , load_(at(problem.deviceCount()), 0.0)
        , bytes_(at(problem.deviceCount()), 0) {}

    sim::Assignment run() {
        for (const std::vector<OpId>& group : groupsInOrder(problem_)) {
            if (reduces(graph_.kind(group.front()))) {
                for (const OpId op : group) {
                    choose({op}, siteChoices());
                }
            } else {
                choose(group, rangeChoices());
            }
        }
        return std::move(assignment_);
    }

private:
    /// The shards of a group run on devices first .. first + count - 1, dealt out in turn or in
    /// stretches.
    struct Range {
        DeviceId first;
        DeviceId count;
        bool inTurn;
    };

    std::vector<Range> rangeChoices() const {
        std::vector<Range> ranges;
        const DeviceId devices = problem_.deviceCount();
        for (DeviceId count = 1; count <= devices; count *= 2) {
            for (DeviceId first = 0; first + count <= devices; first += count) {
                ranges.push_back({first, count, true});
                if (count > 1) {
                    ranges.push_back({first, count, false});
                }
            }
        }
        return ranges;
    }

    std::vector<Range> siteChoices() const {
        std::vector<Range> sites;
        for (DeviceId device = 0; device < problem_.deviceCount(); ++device) {
            sites.push_back({device, 1, true});
        }
        return sites;
    }

    void assign(const std::vector<OpId>& group, const Range& range) {
        for (std::size_t i = 0; i < group.size(); ++i) {
            const DeviceId pin = problem_.pin(group[i]);
            const std::size_t count = at(range.count);
            const std::size_t slot = range.inTurn ? i % count : i * count / group.size();
            assignment_[at(group[i])] =
                pin != kNoDevice ? pin : range.first + static_cast<DeviceId>(slot);
        }
    }

    /// Adds the assigned group to load and bytes of the devices.
    void add(const std::vector<OpId>& group, std::vector<double>& load,
             std::vector<std::int64_t>& bytes) const {
        for (const OpId op : group) {
            const DeviceId device = assignment_[at(op)];
            const double slots = problem_.cluster->device(device).slots;
            load[at(device)] += static_cast<double>(problem_.costs->compute(op, device)) / slots;
            bytes[at(device)] += graph_.outputBytes(op);
            for (const EdgeId edge : graph_.inEdges(op)) {
                const OpId parent = graph_.source(edge);
                const DeviceId from = assignment_[at(parent)];
                if (from != device) {
                    const Time moved = problem_.costs->transfer(edge, parent, from, device);
                    load[at(device)] += static_cast<double>(moved);
                    bytes[at(device)] += graph_.edgeBytes(edge);
                }
            }
        }
    }

    GroupCost costOf(const std::vector<double>& load,
                     const std::vector<std::int64_t>& bytes) const {
        GroupCost cost;
        for (std::size_t device = 0; device < load.size(); ++device) {
            cost.busiest = std::max(cost.busiest, load[device]);
            cost.sum += load[device];
            const std::int64_t capacity =
                problem_.cluster->device(static_cast<DeviceId>(device)).capacityBytes;
            if (countMemory_ && capacity > 0) {
                cost.overflow += std::max<std::int64_t>(0, bytes[device] - capacity);
            }
        }
        return cost;
    }

    void choose(const std::vector<OpId>& group, const std::vector<Range>& ranges) {
        const Range* best = nullptr;
        GroupCost least;
        for (const Range& range : ranges) {
            assign(group, range);
            tryLoad_ = load_;
            tryBytes_ = bytes_;
            add(group, tryLoad_, tryBytes_);
            const GroupCost cost = costOf(tryLoad_, tryBytes_);
            if (best == nullptr || cost < least) {
                best = &range;
                least = cost;
            }
        }
        assign(group, *best);
        add(group, load_, bytes_);
    }

    const sim::Problem& problem_;
    const graph::Graph& graph_;
    bool countMemory_;
    sim::Assignment assignment_;
    std::vector<double> load_;        // by device: work and moves
    std::vector<std::int64_t> bytes_; // by device: outputs and copies
    std::vector<double> tryLoad_;
    std::vector<std::int64_t> tryBytes_;
};

PlaceResult place(const PlaceRequest& request) {
    return evaluatedWithinMemory(request, [](const sim::Problem& problem, MemoryCount memory) {
        return Enumeration(problem, memory).run();
    });
}

} // namespace

PlacerEntry enumerativePlacer() {
    return {{.name = "enumerative",
             .description = "Group after group over ranges of devices, the busiest device least "
                            "loaded.",
             .source = "DOPPLER, arXiv 2505.23131: its enumerative baseline"},
            place};
}

} // namespace doppler::place
