#include <algorithm>
#include <queue>

#include "core/place/MemoryLedger.h"
#include "core/place/PlacerEntry.h"

namespace doppler::place {

namespace {

// StarPU's defaults: what a later end and what a transfer count.
constexpr double kAlpha = 1;
constexpr double kBeta = 1;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Runs the graph and chooses the device of each op at the moment when its inputs are computed,
/// as a runtime system does: then its inputs start to move, and it queues on its device.
class OnlineDispatch {
public:
    OnlineDispatch(const sim::Problem& problem, MemoryCount memory)
        : problem_(problem)
        , graph_(*problem.graph)
        , memory_(problem, memory)
        , queueEnds_(at(problem.deviceCount()))
        , assignment_(at(problem.opCount()), 0)
        , copies_(at(problem.opCount())) {
        for (DeviceId device = 0; device < problem.deviceCount(); ++device) {
            queueEnds_[at(device)].assign(at(problem.cluster->device(device).slots), 0);
        }
    }

    sim::Assignment run() {
        std::vector<std::int32_t> missing;
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            missing.push_back(graph_.inDegree(op));
        }
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            if (graph_.inDegree(op) == 0) {
                dispatch(op, 0);
            }
        }
        while (!running_.empty()) {
            const Running ended = running_.top();
            running_.pop();
            for (EdgeId edge = graph_.firstOutEdge(ended.op); edge < graph_.endOutEdge(ended.op);
                 ++edge) {
                if (--missing[at(graph_.target(edge))] == 0) {
                    dispatch(graph_.target(edge), ended.end);
                }
            }
        }
        return std::move(assignment_);
    }

private:
    struct Running {
        Time end;
        std::int64_t order; ///< of dispatch; of equal ends the first dispatched comes first
        OpId op;
        bool operator<(const Running& other) const {
            return end != other.end ? end > other.end : order > other.order;
        }
    };

    struct Choice {
        DeviceId device;
        Time transfers; ///< of inputs that are not there
        Time end;       ///< behind all that queues there, transfers left out
    };

    bool has(OpId value, DeviceId device) const {
        const std::vector<DeviceId>& copies = copies_[at(value)];
        return assignment_[at(value)] == device ||
               std::find(copies.begin(), copies.end(), device) != copies.end();
    }

    Time transfersTo(OpId op, DeviceId device) const {
        Time sum = 0;
        for (const EdgeId edge : graph_.inEdges(op)) {
            const OpId parent = graph_.source(edge);
            if (!has(parent, device)) {
                sum += problem_.costs->transfer(edge, parent, assignment_[at(parent)], device);
            }
        }
        return sum;
    }

    Time& firstFree(DeviceId device) {
        std::vector<Time>& ends = queueEnds_[at(device)];
        return *std::min_element(ends.begin(), ends.end());
    }

    bool allowed(OpId op, DeviceId device) const {
        const DeviceId pin = problem_.pin(op);
        return pin == kNoDevice || pin == device;
    }

    DeviceId choose(OpId op, Time now) {
        std::vector<Choice> choices;
        for (const bool withRoom : {true, false}) {
            for (DeviceId device = 0; device < problem_.deviceCount(); ++device) {
                if (allowed(op, device) && (!withRoom || memory_.fits(op, device))) {
                    choices.push_back(
                        {device, transfersTo(op, device),
                         std::max(firstFree(device), now) + problem_.costs->compute(op, device)});
                }
            }
            if (!choices.empty()) {
                break;
            }
        }
        const auto fitness = [](const Choice& choice) {
            // The paper subtracts the earliest end over all devices, which changes no comparison.
            return kAlpha * static_cast<double>(choice.end) +
                   kBeta * static_cast<double>(choice.transfers);
        };
        return std::min_element(
                   choices.begin(), choices.end(),
                   [&](const Choice& a, const Choice& b) { return fitness(a) < fitness(b); })
            ->device;
    }

    void dispatch(OpId op, Time now) {
        const DeviceId device = choose(op, now);
        const Time inputsThere = now + transfersTo(op, device);
        for (const EdgeId edge : graph_.inEdges(op)) {
            if (!has(graph_.source(edge), device)) {
                copies_[at(graph_.source(edge))].push_back(device);
            }
        }
        memory_.add(op, device);
        assignment_[at(op)] = device;
        Time& queueEnd = firstFree(device);
        queueEnd = std::max(queueEnd, inputsThere) + problem_.costs->compute(op, device);
        running_.push({queueEnd, order_++, op});
    }

    const sim::Problem& problem_;
    const graph::Graph& graph_;
    MemoryLedger memory_;
    std::vector<std::vector<Time>> queueEnds_; // by device and slot
    sim::Assignment assignment_;
    std::vector<std::vector<DeviceId>> copies_; // by op: where its output was sent
    std::priority_queue<Running> running_;
    std::int64_t order_ = 0;
};

PlaceResult place(const PlaceRequest& request) {
    return evaluatedWithinMemory(request, [](const sim::Problem& problem, MemoryCount memory) {
        return OnlineDispatch(problem, memory).run();
    });
}

} // namespace

PlacerEntry dmdaPlacer() {
    return {{.name = "dmda",
             .description = "Online: an op that becomes ready goes where it ends first, transfers "
                            "added.",
             .source = "StarPU: Augonnet, Clet-Ortega, Thibault, Namyst 2010"},
            place};
}

} // namespace doppler::place
