#pragma once

#include "core/sim/CorePool.h"
#include "core/sim/EventQueue.h"
#include "core/sim/FifoQueues.h"
#include "core/sim/LinkLanes.h"
#include "core/sim/MemoryBook.h"
#include "core/sim/Noise.h"
#include "core/sim/ReadyPools.h"
#include "core/sim/SimModel.h"
#include "core/sim/TimelineRecorder.h"

namespace doppler::sim {

/// Edges of one op whose values arrive together, in file order.
struct EdgeChain {
    EdgeId head = kNoEdge;
    EdgeId tail = kNoEdge;
};

/// What a simulation writes to; allocated once, used by every run.
struct SimScratch {
    EventQueue events;
    std::vector<std::int32_t> missingInputs; // by op
    std::vector<std::int32_t> freeSlots;     // by device
    std::vector<EdgeId> nextInChain;         // by edge
    FifoQueues fifo;
    LinkLanes lanes;
    // Of one Finish event: the copy to each device, and those devices in order.
    std::vector<EdgeChain> copyTo;
    std::vector<DeviceId> destinations;
    // Only for the general loop.
    ReadyPools pools;
    CorePool cores;
    MemoryBook memory;
    std::vector<DeviceId> wakeList; // devices that choose at the end of this point in time
    std::vector<std::uint8_t> inWakeList;
};

/// Which options are known when the loop is compiled.
enum class LoopKind : std::uint8_t {
    Published, ///< no contention, one transfer per edge, first ready first, nothing else
    Default,   ///< contention, shared transfers, first ready first, nothing else
    General,   ///< everything, looked up as it runs
};

/// The discrete-event loop. The event order is that of the simulator published with the DOPPLER
/// paper; what it does not know (contention, sharing, memory, processors) adds no events.
///
/// Rules beyond it:
/// - Under every choice but first ready first, devices choose when all else that happens at a
///   point in time has happened.
/// - A transfer takes its lane, then room on the receiver, then a processor; an op takes its slot,
///   then room, then a processor. Who lacks the last one keeps what it has. Processors are given
///   in the order of asking.
/// - Held for memory: ops and transfers start only if their output or copy fits beside all that
///   lies on the device. When nothing runs and only held ones are left, the held op that needs
///   least starts anyway (without one, the transfer that needs least), and the memory overflows.
/// - Bulk-synchronous: the ops of a level become ready, by id, when all that came before has
///   ended.
template <LoopKind kKind, class Recorder>
class EventLoop {
public:
    EventLoop(const SimModel& model, const SimOptions& options, SimScratch& scratch,
              Recorder& recorder, const DeviceId* deviceOf)
        : model_(model)
        , options_(options)
        , s_(scratch)
        , recorder_(recorder)
        , deviceOf_(deviceOf)
        , noise_(options.durationVariation, options.seed) {}

    /// The makespan; the time reached where the recorder abandons the run.
    Time run();
    /// The same from where the scratch stands: after all that happens at a point in time.
    Time resume();

private:
    static constexpr bool kGeneral = kKind == LoopKind::General;

    static std::size_t at(std::int32_t id) { return SimModel::at(id); }
    bool shared() const {
        return kGeneral ? options_.sharing == TransferSharing::PerDestination
                        : kKind == LoopKind::Default;
    }
    bool holds() const { return kGeneral && options_.memory == MemoryPolicy::Hold; }
    bool choosesLate() const { return kGeneral && options_.choice != ReadyChoice::FirstReady; }
    bool bulkSynchronous() const {
        return kGeneral && options_.mode == ExecutionMode::BulkSynchronous;
    }
    DeviceId sender(EdgeId edge) const { return deviceOf_[model_.source[at(edge)]]; }
    DeviceId receiver(EdgeId edge) const { return deviceOf_[model_.target[at(edge)]]; }

    // The loop, and ops: EventLoopOps.h.
    void reset();
    void handle(Event event);
    /// The last thing that a handler does: queues an event, or handles it at once where it would
    /// be next anyway.
    template <EventKind kEvent>
    void next(std::int32_t id) {
        if (s_.events.hasPresent()) {
            s_.events.pushNow({kEvent, id});
        } else if constexpr (kEvent == EventKind::Ready) {
            ready(id);
        } else if constexpr (kEvent == EventKind::Begin) {
            begin(id);
        } else if constexpr (kEvent == EventKind::Arrive) {
            arrive(id);
        } else {
            static_assert(kEvent == EventKind::Count);
            count(id);
        }
    }
    bool unblock();
    void releaseLevel();
    bool forceSmallestHeld();
    void ready(OpId op);
    void choose(DeviceId device);
    OpId nextFor(DeviceId device);
    bool startNext(DeviceId device);
    void memoryFreed(DeviceId device);
    void wake(DeviceId device);
    void wakeLater(DeviceId device);
    void wakeAll();
    void takeSlot(OpId op, DeviceId device);
    void begin(OpId op);
    void end(OpId op);
    void endAlone(OpId op, DeviceId device);
    void giveCoreBack();

    // Values on their way: EventLoopTransfers.h.
    void link(EdgeChain& chain, EdgeId edge) {
        s_.nextInChain[at(edge)] = kNoEdge;
        (chain.head == kNoEdge ? chain.head : s_.nextInChain[at(chain.tail)]) = edge;
        chain.tail = edge;
    }
    void finish(OpId op);
    EdgeId send(OpId op);
    EdgeId sendEdgesTogether(OpId op);
    void sendEachEdge(OpId op);
    EdgeId sendCopies(OpId op);
    void bookCopies(OpId op, EdgeChain local);
    void bookOutput(OpId op, std::int32_t users);
    void requestTransfer(EdgeId edge);
    void takeLane(EdgeId edge);
    void takeLaneAndRoom(EdgeId edge);
    void startTransfer(EdgeId edge);
    Time transferTime(EdgeId edge) const;
    void retryHeldTransfers(DeviceId device);
    void arrive(EdgeId edge);
    void arriveFromAfar(EdgeId edge);
    void count(EdgeId head);

    const SimModel& model_;
    const SimOptions& options_;
    SimScratch& s_;
    Recorder& recorder_;
    const DeviceId* deviceOf_;
    Noise noise_;
    std::size_t level_ = 0;
};

} // namespace doppler::sim
