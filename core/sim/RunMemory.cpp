#include "core/sim/RunMemory.h"

namespace doppler::sim {

namespace {

// More would shorten the way from a snapshot to the change by little, and each takes its time.
constexpr std::size_t kMostSnapshots = 12;
// Ops and edges in all of them; some 100 MB.
constexpr std::size_t kMostItems = 6'000'000;

std::size_t snapshotsFor(const Problem& problem) {
    const auto items = static_cast<std::size_t>(problem.opCount() + problem.graph->edgeCount());
    return std::min(kMostSnapshots, kMostItems / std::max<std::size_t>(1, items));
}

} // namespace

void RunMemory::Snapshot::save(const SimScratch& scratch) {
    events.copySettled(scratch.events);
    missingInputs = scratch.missingInputs;
    freeSlots = scratch.freeSlots;
    nextInChain = scratch.nextInChain;
    fifo = scratch.fifo;
    lanes = scratch.lanes;
}

void RunMemory::Snapshot::restore(SimScratch& scratch) const {
    scratch.events.copySettled(events);
    scratch.missingInputs = missingInputs;
    scratch.freeSlots = freeSlots;
    scratch.nextInChain = nextInChain;
    scratch.fifo = fifo;
    scratch.lanes = lanes;
}

RunMemory::Recorder::Recorder(RunMemory& memory, std::size_t kept) : memory_(memory) {
    memory_.count_ = kept;
    started_ = kept == 0 ? 0 : memory_.snapshots_[kept - 1].started;
}

std::int32_t RunMemory::Recorder::nextAt() const {
    const std::size_t ops = memory_.endOf_.size();
    return static_cast<std::int32_t>(ops * (memory_.count_ + 1) / (memory_.snapshots_.size() + 1));
}

void RunMemory::Recorder::settled(const SimScratch& scratch) {
    if (memory_.count_ == memory_.snapshots_.size() || started_ < nextAt()) {
        return;
    }
    Snapshot& snapshot = memory_.snapshots_[memory_.count_++];
    snapshot.started = started_;
    snapshot.time = scratch.events.now();
    snapshot.save(scratch);
}

RunMemory::RunMemory(const Problem& problem)
    : problem_(problem)
    , endOf_(static_cast<std::size_t>(problem.opCount()))
    , snapshots_(snapshotsFor(problem)) {}

std::size_t RunMemory::shared(std::span<const DeviceId> assignment) const {
    const graph::Graph& graph = *problem_.graph;
    Time touched = std::numeric_limits<Time>::max();
    for (std::size_t op = 0; op < assignment.size(); ++op) {
        if (assignment[op] == assignment_[op]) {
            continue;
        }
        const auto inputs = graph.inEdges(static_cast<OpId>(op));
        if (inputs.empty()) {
            return 0;
        }
        for (const EdgeId edge : inputs) {
            touched = std::min(touched, endOf_[SimModel::at(graph.source(edge))]);
        }
    }
    std::size_t count = count_;
    while (count > 0 && snapshots_[count - 1].time >= touched) {
        --count;
    }
    return count;
}

} // namespace doppler::sim
