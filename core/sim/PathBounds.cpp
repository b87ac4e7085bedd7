#include "core/sim/PathBounds.h"

#include <algorithm>

namespace doppler::sim {

namespace {

constexpr std::int64_t kLargestTable = 30'000'000;
constexpr std::int64_t kMostTransferChecks = 100'000'000;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Time before (or after) each op on each device, its own time left out; op-major.
class DeviceTable {
public:
    explicit DeviceTable(const Problem& problem)
        : problem_(problem), devices_(problem.deviceCount()) {}

    std::vector<Time> heads() const {
        std::vector<Time> table(size(), 0);
        for (const OpId op : problem_.graph->topologicalOrder()) {
            for (const EdgeId edge : problem_.graph->inEdges(op)) {
                extend(table, edge, problem_.graph->source(edge), op, true);
            }
        }
        return table;
    }

    std::vector<Time> tails() const {
        std::vector<Time> table(size(), 0);
        const graph::Graph& graph = *problem_.graph;
        const std::vector<OpId>& order = graph.topologicalOrder();
        for (auto op = order.rbegin(); op != order.rend(); ++op) {
            for (EdgeId edge = graph.firstOutEdge(*op); edge < graph.endOutEdge(*op); ++edge) {
                extend(table, edge, graph.target(edge), *op, false);
            }
        }
        return table;
    }

    bool allowed(OpId op, DeviceId device) const {
        const DeviceId pin = problem_.pin(op);
        return pin == kNoDevice || pin == device;
    }
    std::size_t cell(OpId op, DeviceId device) const { return at(op) * at(devices_) + at(device); }

private:
    std::size_t size() const { return at(problem_.opCount()) * at(devices_); }

    /// Raises the row of `op` by what its neighbour across `edge` needs.
    void extend(std::vector<Time>& table, EdgeId edge, OpId neighbour, OpId op,
                bool forward) const {
        const OpId source = forward ? neighbour : op;
        for (DeviceId device = 0; device < devices_; ++device) {
            if (!allowed(op, device)) {
                continue;
            }
            Time least = kNever;
            if (allowed(neighbour, device)) {
                least = through(table, neighbour, device);
            }
            for (DeviceId other = 0; other < devices_; ++other) {
                if (other == device || !allowed(neighbour, other)) {
                    continue;
                }
                const Time time = through(table, neighbour, other);
                if (time < least) {
                    const Time transfer = problem_.costs->transfer(
                        edge, source, forward ? other : device, forward ? device : other);
                    least = std::min(least, time + transfer);
                }
            }
            Time& value = table[cell(op, device)];
            value = std::max(value, least);
        }
    }

    Time through(const std::vector<Time>& table, OpId op, DeviceId device) const {
        return table[cell(op, device)] + problem_.costs->compute(op, device);
    }

    const Problem& problem_;
    DeviceId devices_;
};

} // namespace

HeadsAndTails computePaths(const Problem& problem, const LeastCosts& least) {
    const graph::Graph& graph = *problem.graph;
    HeadsAndTails paths;
    paths.heads.assign(at(graph.opCount()), 0);
    paths.tails.assign(at(graph.opCount()), 0);
    const auto moved = [&](EdgeId edge) {
        return least.alwaysMoves[at(edge)] ? least.transfer[at(edge)] : 0;
    };
    const std::vector<OpId>& order = graph.topologicalOrder();
    for (const OpId op : order) {
        const Time end = paths.heads[at(op)] + least.compute[at(op)];
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            Time& head = paths.heads[at(graph.target(edge))];
            head = std::max(head, end + moved(edge));
        }
    }
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
        const Time end = paths.tails[at(*op)] + least.compute[at(*op)];
        for (const EdgeId edge : graph.inEdges(*op)) {
            Time& tail = paths.tails[at(graph.source(edge))];
            tail = std::max(tail, end + moved(edge));
        }
    }
    return paths;
}

std::optional<DevicePaths> devicePaths(const Problem& problem) {
    const std::int64_t devices = problem.deviceCount();
    const std::int64_t checks = problem.graph->edgeCount() * devices * devices;
    if (problem.opCount() * devices > kLargestTable || checks > kMostTransferChecks) {
        return std::nullopt;
    }
    const DeviceTable table(problem);
    const std::vector<Time> heads = table.heads();
    const std::vector<Time> tails = table.tails();
    DevicePaths paths;
    paths.least.heads.assign(at(problem.opCount()), kNever);
    paths.least.tails.assign(at(problem.opCount()), kNever);
    for (OpId op = 0; op < problem.opCount(); ++op) {
        Time through = kNever;
        for (DeviceId device = 0; device < devices; ++device) {
            if (!table.allowed(op, device)) {
                continue;
            }
            const std::size_t cell = table.cell(op, device);
            paths.least.heads[at(op)] = std::min(paths.least.heads[at(op)], heads[cell]);
            paths.least.tails[at(op)] = std::min(paths.least.tails[at(op)], tails[cell]);
            through =
                std::min(through, heads[cell] + problem.costs->compute(op, device) + tails[cell]);
        }
        paths.bound = std::max(paths.bound, through);
    }
    return paths;
}

Time longestPath(const LeastCosts& least, const HeadsAndTails& paths) {
    Time longest = 0;
    for (std::size_t op = 0; op < least.compute.size(); ++op) {
        longest = std::max(longest, paths.heads[op] + least.compute[op] + paths.tails[op]);
    }
    return longest;
}

} // namespace doppler::sim
