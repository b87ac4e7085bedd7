#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::engine {

/// Memory of one device. What `data` points to is the runtime's own business: host memory, device
/// memory, or nothing (then it is only counted).
struct Buffer {
    void* data = nullptr;
    std::int64_t bytes = 0;
    DeviceId device = kNoDevice; ///< kNoDevice: no buffer

    bool held() const { return device != kNoDevice; }
};

/// What a buffer is for: runtimes with streams order its first use by it.
enum class BufferUse : std::uint8_t {
    Output, ///< an op writes it
    Copy,   ///< a copy from another device writes it
};

/// One execution of an op.
struct OpTask {
    OpId op = kNoOp;
    DeviceId device = kNoDevice;
    std::int32_t slot = 0; ///< compute slot of the device
    Buffer output;
    /// A buffer on this device for each of graph.uses(op), or for each of graph.inEdges(op) where
    /// the graph knows no uses. Graph inputs have none: the runtime keeps them itself. Lives until
    /// the completion has been posted.
    std::span<const Buffer> operands;
};

/// One copy of an op's output to another device.
struct CopyTask {
    std::int32_t copy = -1; ///< number of the copy in its run
    OpId op = kNoOp;
    Buffer source;
    Buffer destination;
};

/// The end of an OpTask or CopyTask.
struct Completion {
    bool isCopy = false;
    std::int32_t id = -1; ///< op, or number of the copy
    Time start = 0;       ///< of the runtime's clock, in ns
    Time end = 0;
    std::string error; ///< empty: it went well
};

/// Whom a runtime tells about completions.
class CompletionSink {
public:
    virtual ~CompletionSink() = default;
    /// From any thread, once per task, after its end has been measured. Whoever posts may find
    /// itself doing the event loop's work: the call launches what has become ready.
    virtual void post(Completion completion) = 0;
};

/// What a runtime is, for people and for the executor.
struct RuntimeInfo {
    std::string name;      ///< "cpu"
    bool emulated = false; ///< virtual time: never to be shown as a measurement
    /// Which copies run at once; the executor starts no more.
    sim::LinkContention contention = sim::LinkContention::PerPair;
    std::vector<std::string> notes; ///< "oversubscribed: 4 devices share 2 processors"
};

/// Something that executes: devices with memory, ops and copies that run on them. It only does what
/// it is told; what runs when is decided by the Executor, which calls prepare() and begin() from
/// one thread, and the rest from one thread at a time (which may be any that posts completions).
/// launch() and copy() return at once. Failures of a task are its completion's error; what
/// allocate(), launch() and copy() throw ends the run too. OutOfMemory is thrown where a device has
/// no room, also by prepare().
class Runtime {
public:
    virtual ~Runtime() = default;

    virtual const RuntimeInfo& info() const = 0;
    /// Clock of the completions, in ns.
    virtual Time now() const = 0;

    /// Makes ready for runs of this assignment: threads, streams, the graph inputs on each device
    /// that reads them. Not within a run.
    virtual void prepare(const sim::Problem& problem, const sim::Assignment& assignment) = 0;
    /// A run begins: completions go to `sink` until serve() has returned.
    virtual void begin(CompletionSink& sink) = 0;

    /// Memory that nothing else uses until release().
    virtual Buffer allocate(DeviceId device, std::int64_t bytes, BufferUse use) = 0;
    virtual void release(const Buffer& buffer) = 0;
    virtual void launch(const OpTask& task) = 0;
    virtual void copy(const CopyTask& task) = 0;
    /// The contents of a buffer that no task writes; empty where nothing is stored.
    virtual std::vector<std::byte> read(const Buffer& buffer) = 0;

    /// Returns once `ended()`. A runtime without threads that post by themselves delivers its
    /// completions from here.
    virtual void serve(const std::function<bool()>& ended) = 0;
    /// `ended()` of serve() has become true; from any thread.
    virtual void wake() = 0;
};

} // namespace doppler::engine
