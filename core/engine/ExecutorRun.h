#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "core/engine/DeviceMemory.h"
#include "core/engine/Executor.h"
#include "core/engine/LinkQueues.h"
#include "core/engine/OutOfMemory.h"
#include "core/engine/RunPlan.h"
#include "core/engine/RunRecord.h"
#include "core/sim/ReadyPools.h"
#include "core/sim/SimModel.h"

namespace doppler::engine {

/// The state of an executor and its event loop. Only run() and post() may be called while it runs;
/// everything else happens in the loop, one event at a time.
class Executor::Run : public CompletionSink {
public:
    Run(std::shared_ptr<const sim::Problem> problem, Runtime& runtime);

    const std::shared_ptr<const sim::Problem>& problem() const { return problem_; }
    void prepare(const sim::Assignment& assignment);
    Execution run(const ExecutionOptions& options);
    void post(Completion completion) override;

private:
    struct Event {
        enum class Kind : std::uint8_t { Start, Cancel, Completed };
        Kind kind = Kind::Completed;
        Completion completion;
    };

    static std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }
    std::int32_t taskOfCopy(std::int32_t copy) const { return problem_->opCount() + copy; }
    DeviceId deviceOf(OpId op) const { return assignment_[at(op)]; }
    std::string nameOf(DeviceId device) const {
        return "device \"" + problem_->cluster->device(device).name + "\"";
    }

    void reset();
    void enqueue(Event event);
    void drain();
    void handle(Event& event);
    void start();
    void stopWith(Outcome outcome, std::string message);
    /// True if nothing is at the runtime, and nothing can be given to it any more.
    bool endsHere();
    std::string blockedMessage() const;
    std::string messageOf(const OutOfMemory& error) const {
        return nameOf(error.device()) + ": " + error.what();
    }
    std::string lacks(DeviceId device, const std::string& what, std::int64_t bytes) const;

    void opEnded(const Completion& completion);
    void copyEnded(const Completion& completion);
    void record(const Completion& completion, std::int32_t task);
    void emitInterval(std::int32_t task) const;
    void inputArrived(OpId op);
    void dropOperands(OpId op);
    void dropUser(OpId op);
    void release(Buffer& buffer);
    void releaseAll();

    void dispatch(DeviceId lastDevice);
    void dispatchCopies();
    void dispatchOps(DeviceId device);
    OpId choose(DeviceId device);
    void launch(OpId op);
    void launchCopy(std::int32_t copy);

    std::shared_ptr<const sim::Problem> problem_;
    Runtime& runtime_;
    sim::SimModel model_;
    sim::ReadyPools pools_;
    DeviceMemory memory_;
    LinkQueues links_;
    std::vector<std::uint8_t> isResult_; // by op

    // Of an assignment.
    sim::Assignment assignment_;
    std::unique_ptr<RunPlan> plan_;
    std::string noRoom_; ///< why the runtime could not make ready for it; empty: it could

    // Of a run.
    const ExecutionOptions* options_ = nullptr;
    Time begin_ = 0;
    std::vector<TaskRecord> records_;
    std::vector<Buffer> outputs_;                      // by op
    std::vector<Buffer> copies_;                       // by copy
    std::vector<Buffer> operands_;                     // as in plan_->operands
    std::vector<std::int32_t> missing_;                // by op: inputs that are not there yet
    std::vector<std::int32_t> users_;                  // by op: as in plan_->users, still to come
    std::vector<std::int32_t> copyUsers_;              // by copy
    std::vector<std::uint8_t> held_;                   // by task: memory held it back
    std::vector<std::vector<std::int32_t>> freeSlots_; // by device
    std::vector<std::vector<OpId>> lastInSlot_;        // by device and slot
    std::vector<std::int32_t> freedBy_;                // by device: task that freed memory last
    std::vector<std::uint8_t> wanted_;                 // by device: its ops are to be looked at
    std::int32_t running_ = 0;                         // tasks at the runtime
    std::int32_t left_ = 0;                            // ops that have not ended
    std::int32_t dispatched_ = 0;
    std::int32_t current_ = -1; // task whose end is handled
    bool stopping_ = false;
    bool over_ = false;
    Outcome outcome_ = Outcome::Done;
    std::string message_;
    bool lacksMemory_ = false;

    // The queue of the loop.
    std::mutex mutex_;
    std::vector<Event> inbox_; // guarded
    bool draining_ = false;    // guarded: some thread runs the loop, or it is over
    std::vector<Event> batch_; // of the thread that runs the loop
    std::atomic<bool> ended_ = false;
};

} // namespace doppler::engine
