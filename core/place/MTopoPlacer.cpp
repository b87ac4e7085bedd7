#include <algorithm>

#include "core/place/PlacerEntry.h"

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// What each op adds to a device: its output, and the graph inputs that no op before it read; its
/// mean time where the graph knows no sizes.
std::vector<double> loads(const sim::Problem& problem) {
    const graph::Graph& graph = *problem.graph;
    std::vector<double> load(at(graph.opCount()), 0.0);
    std::vector<bool> counted(at(graph.inputCount()), false);
    bool anySize = false;
    for (const OpId op : graph.topologicalOrder()) {
        load[at(op)] = static_cast<double>(graph.outputBytes(op));
        for (const graph::Use& use : graph.uses(op)) {
            if (use.fromInput && !counted[at(use.source)]) {
                counted[at(use.source)] = true;
                load[at(op)] += static_cast<double>(graph.inputs()[at(use.source)].bytes);
            }
        }
        anySize = anySize || load[at(op)] > 0;
    }
    for (OpId op = 0; !anySize && op < graph.opCount(); ++op) {
        load[at(op)] = problem.costs->meanCompute(op);
    }
    return load;
}

/// Fills one device after the other, in topological order, each up to an even share plus the
/// largest op.
class TopologicalFill {
public:
    TopologicalFill(const sim::Problem& problem, MemoryCount count)
        : problem_(problem)
        , load_(loads(problem))
        , memory_(problem, count)
        , filled_(at(problem.deviceCount()), 0.0)
        , assignment_(at(problem.opCount()), 0) {
        double sum = 0;
        double largest = 0;
        for (const double load : load_) {
            sum += load;
            largest = std::max(largest, load);
        }
        share_ = sum / problem.deviceCount() + largest;
    }

    sim::Assignment run() {
        for (const OpId op : problem_.graph->topologicalOrder()) {
            const DeviceId pin = problem_.pin(op);
            const DeviceId device = pin == kNoDevice ? nextDevice(op) : pin;
            assignment_[at(op)] = device;
            filled_[at(device)] += load_[at(op)];
            memory_.add(op, device);
        }
        return std::move(assignment_);
    }

private:
    DeviceId nextDevice(OpId op) {
        const DeviceId last = problem_.deviceCount() - 1;
        while (current_ < last && !hasRoom(op, current_)) {
            ++current_;
        }
        if (hasRoom(op, current_)) {
            return current_;
        }
        // Devices are smaller than their share: whichever has room, or lacks least.
        DeviceId best = current_;
        for (DeviceId device = 0; device <= last && !memory_.fits(op, best); ++device) {
            if (memory_.overflow(op, device) < memory_.overflow(op, best)) {
                best = device;
            }
        }
        return best;
    }

    bool hasRoom(OpId op, DeviceId device) const {
        return filled_[at(device)] + load_[at(op)] <= share_ && memory_.fits(op, device);
    }

    const sim::Problem& problem_;
    std::vector<double> load_;
    MemoryLedger memory_;
    std::vector<double> filled_;
    double share_ = 0;
    DeviceId current_ = 0;
    sim::Assignment assignment_;
};

PlaceResult place(const PlaceRequest& request) {
    return evaluatedWithinMemory(request, [](const sim::Problem& problem, MemoryCount count) {
        return TopologicalFill(problem, count).run();
    });
}

} // namespace

PlacerEntry mTopoPlacer() {
    return {{.name = "m-topo",
             .description = "Ops in topological order fill one device after the other evenly.",
             .source = "Baechi: Jeon et al. 2020"},
            place};
}

} // namespace doppler::place
