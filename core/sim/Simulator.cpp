#include "core/sim/Simulator.h"

#include "core/graph/InputError.h"
#include "core/sim/EventLoopOps.h"
#include "core/sim/EventLoopTransfers.h"
#include "core/sim/LimitWatch.h"
#include "core/sim/MemoryUse.h"
#include "core/sim/RunMemory.h"

namespace doppler::sim {

namespace {

LoopKind loopFor(const SimOptions& options) {
    SimOptions plain;
    plain.contention = options.contention;
    plain.sharing = options.sharing;
    plain.seed = options.seed;
    if (!(options == plain)) {
        return LoopKind::General;
    }
    if (options.contention == LinkContention::None && options.sharing == TransferSharing::PerEdge) {
        return LoopKind::Published;
    }
    return options.sharing == TransferSharing::PerDestination ? LoopKind::Default
                                                              : LoopKind::General;
}

} // namespace

struct Simulator::State {
    explicit State(std::shared_ptr<const Problem> aProblem)
        : problem(std::move(aProblem))
        , options(problem->options)
        , kind(loopFor(options))
        , model(*problem)
        , remaining(model, problem->graph->topologicalOrder()) {
        if (std::max(model.opCount, model.edgeCount) > Event::kMaximumId) {
            throw InputError("graph", "too many ops or edges to simulate",
                             "at most " + std::to_string(Event::kMaximumId) + " of each");
        }
        allocate();
    }

    void allocate() {
        const std::size_t ops = SimModel::at(model.opCount);
        const std::size_t edges = SimModel::at(model.edgeCount);
        const std::size_t devices = SimModel::at(model.deviceCount);
        scratch.events.allocate(ops, edges);
        scratch.missingInputs.resize(ops);
        scratch.freeSlots.resize(devices);
        scratch.nextInChain.resize(edges);
        scratch.copyTo.resize(devices);
        scratch.destinations.reserve(devices);
        scratch.lanes.allocate(model, options.contention);
        if (kind != LoopKind::General) {
            scratch.fifo.allocate(model);
            return;
        }
        scratch.pools.allocate(model);
        scratch.cores.allocate(model, options.cores);
        scratch.wakeList.reserve(devices);
        scratch.inWakeList.resize(devices);
        if (options.memory == MemoryPolicy::Hold) {
            scratch.memory.allocate(*problem, model);
        }
    }

    template <class Recorder>
    Time simulate(Recorder& recorder, const DeviceId* deviceOf) {
        switch (kind) {
        case LoopKind::Published:
            return simulateBy<LoopKind::Published>(recorder, deviceOf);
        case LoopKind::Default:
            return simulateBy<LoopKind::Default>(recorder, deviceOf);
        case LoopKind::General:
            break;
        }
        return EventLoop<LoopKind::General, Recorder>(model, options, scratch, recorder, deviceOf)
            .run();
    }

    /// From the remembered run, as far as it is the same.
    template <LoopKind kKind, class Recorder>
    Time simulateBy(Recorder& recorder, const DeviceId* deviceOf) {
        EventLoop<kKind, Recorder> loop(model, options, scratch, recorder, deviceOf);
        if (sharedSnapshots == 0) {
            return loop.run();
        }
        memory->snapshot(sharedSnapshots - 1).restore(scratch);
        return loop.resume();
    }

    void findShared(std::span<const DeviceId> assignment) {
        sharedSnapshots = memory != nullptr && !memory->empty() ? memory->shared(assignment) : 0;
    }

    std::shared_ptr<const Problem> problem;
    SimOptions options;
    LoopKind kind;
    SimModel model;
    RemainingTimes remaining;
    SimScratch scratch;
    std::unique_ptr<RunMemory> memory; ///< once a run is to be remembered
    std::size_t sharedSnapshots = 0;   ///< of it, by the run that is to be simulated
};

Simulator::Simulator(std::shared_ptr<const Problem> problem)
    : state_(std::make_unique<State>(std::move(problem))) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const Problem& Simulator::problem() const {
    return *state_->problem;
}

Time Simulator::makespan(std::span<const DeviceId> assignment) {
    NoRecorder recorder;
    state_->findShared(assignment);
    return state_->simulate(recorder, assignment.data());
}

Time Simulator::remember(std::span<const DeviceId> assignment) {
    if (state_->kind == LoopKind::General) {
        return makespan(assignment);
    }
    if (state_->memory == nullptr) {
        state_->memory = std::make_unique<RunMemory>(*state_->problem);
    }
    state_->findShared(assignment);
    state_->memory->begin(assignment);
    RunMemory::Recorder recorder(*state_->memory, state_->sharedSnapshots);
    return state_->simulate(recorder, assignment.data());
}

Time Simulator::makespanWithin(std::span<const DeviceId> assignment, Time limit) {
    if (state_->options.durationVariation > 0) {
        return makespan(assignment); // what follows is not known before it is drawn
    }
    const Time least = state_->remaining.prepare(assignment.data());
    if (least > limit) {
        return least;
    }
    state_->findShared(assignment);
    LimitWatch watch(state_->remaining, limit);
    const Time reached = state_->simulate(watch, assignment.data());
    return watch.abandoned() ? watch.lowerBound() : reached;
}

Timeline Simulator::run(std::span<const DeviceId> assignment) {
    state_->sharedSnapshots = 0;
    TimelineRecorder recorder(state_->model, state_->options, assignment.data());
    const Time makespan = state_->simulate(recorder, assignment.data());
    Timeline timeline = recorder.take(makespan);
    timeline.peakMemory = peakMemory(*state_->problem, assignment, timeline);
    return timeline;
}

void Simulator::setSeed(std::uint64_t seed) {
    state_->options.seed = seed;
}

Timeline simulate(std::shared_ptr<const Problem> problem, const Assignment& assignment) {
    checkAssignment(*problem, assignment);
    return Simulator(std::move(problem)).run(assignment);
}

} // namespace doppler::sim
