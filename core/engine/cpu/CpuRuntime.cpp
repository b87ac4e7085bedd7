#include "core/engine/cpu/CpuRuntime.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "core/engine/MachineLoad.h"
#include "core/engine/OutOfMemory.h"
#include "core/engine/Processors.h"
#include "core/sim/MemoryUse.h"

namespace doppler::engine {

namespace {

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

// Where it is not allowed, the worker runs anywhere: only slower.
void pinTo(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/// Runs a task between two looks at the clock.
template <class Clock, class Task>
void measure(Completion& completion, Clock now, Task task) {
    completion.start = now();
    try {
        task();
    } catch (const std::exception& error) {
        completion.error = error.what();
    }
    completion.end = now();
}

/// A lane, or a message that says whose thread is missing.
template <class Work>
std::unique_ptr<WorkerLane<Work>> makeLane(const std::string& whose, std::function<void()> enter,
                                           std::function<void(const Work&)> run) {
    try {
        return std::make_unique<WorkerLane<Work>>(std::move(enter), std::move(run));
    } catch (const std::system_error& error) {
        throw std::runtime_error("cannot start a thread for " + whose + ": " +
                                 error.code().message());
    }
}

} // namespace

CpuRuntime::CpuRuntime(const cluster::Cluster& cluster, std::shared_ptr<Kernels> kernels)
    : kernels_(std::move(kernels)), pools_(at(cluster.deviceCount())) {
    info_.name = "cpu";
    int lanes = 0;
    std::vector<std::string> names; // of devices, by lane
    for (const cluster::Device& device : cluster.devices()) {
        firstLane_.push_back(lanes);
        lanes += device.slots;
        names.resize(at(lanes), device.name);
    }
    firstLane_.push_back(lanes);
    const std::vector<int> processors = usableProcessors();
    const bool pinned = at(lanes) <= processors.size();
    if (!pinned) {
        info_.notes.push_back("oversubscribed: " + std::to_string(lanes) +
                              " devices or slots share " + std::to_string(processors.size()) +
                              " processors");
    }
    for (int lane = 0; lane < lanes; ++lane) {
        const int processor = pinned ? processors[at(lane)] : -1;
        opLanes_.push_back(makeLane<OpTask>(
            "device \"" + names[at(lane)] + "\"",
            [this, processor] {
                if (processor >= 0) {
                    pinTo(processor);
                }
                kernels_->enterThread();
            },
            [this, lane](const OpTask& task) { runOp(task, lane); }));
    }
    copyLanes_.resize(pools_.size() * pools_.size());
}

CpuRuntime::~CpuRuntime() {
    opLanes_.clear(); // they may still be in wake()
    copyLanes_.clear();
}

Time CpuRuntime::now() const {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    constexpr Time kSecond = 1'000'000'000;
    return time.tv_sec * kSecond + time.tv_nsec;
}

void CpuRuntime::prepare(const sim::Problem& problem, const sim::Assignment& assignment) {
    const graph::Graph& graph = *problem.graph;
    std::vector<std::int64_t> inputs(pools_.size());
    std::vector<std::uint8_t> seen(pools_.size() * graph.inputs().size());
    sim::addInputBytes(graph, assignment, seen, inputs);
    for (std::size_t device = 0; device < pools_.size(); ++device) {
        const std::int64_t capacity =
            problem.cluster->device(static_cast<DeviceId>(device)).capacityBytes;
        if (capacity > 0) {
            pools_[device].limit(capacity - inputs[device]);
        }
    }
    kernels_->prepare(problem, assignment, firstLane_.back());
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        const DeviceId from = assignment[at(graph.source(edge))];
        const DeviceId to = assignment[at(graph.target(edge))];
        auto& lane = copyLanes_[at(from) * pools_.size() + at(to)];
        if (from != to && !lane) {
            const auto name = [&](DeviceId device) { return problem.cluster->device(device).name; };
            lane = makeLane<CopyTask>(
                "copies from \"" + name(from) + "\" to \"" + name(to) + "\"",
                [] { pthread_setname_np(pthread_self(), kCopyThreadName); },
                [this](const CopyTask& task) { runCopy(task); });
        }
    }
}

Buffer CpuRuntime::allocate(DeviceId device, std::int64_t bytes, BufferUse) {
    void* data = nullptr;
    try {
        data = pools_[at(device)].take(bytes);
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(device, bytes, "a value");
    }
    ++buffersHeld_;
    return {.data = data, .bytes = bytes, .device = device};
}

void CpuRuntime::release(const Buffer& buffer) {
    pools_[at(buffer.device)].give(buffer.data, buffer.bytes);
    --buffersHeld_;
}

void CpuRuntime::launch(const OpTask& task) {
    opLanes_[at(laneOf(task.device, task.slot))]->give(task);
}

void CpuRuntime::copy(const CopyTask& task) {
    copyLanes_[at(task.source.device) * pools_.size() + at(task.destination.device)]->give(task);
}

void CpuRuntime::runOp(const OpTask& task, int lane) {
    Completion completion{.id = task.op};
    measure(
        completion, [this] { return now(); }, [&] { kernels_->run(task, lane); });
    sink_->post(std::move(completion));
}

void CpuRuntime::runCopy(const CopyTask& task) {
    Completion completion{.isCopy = true, .id = task.copy};
    measure(
        completion, [this] { return now(); },
        [&] {
            std::memcpy(task.destination.data, task.source.data,
                        at(std::min(task.source.bytes, task.destination.bytes)));
        });
    sink_->post(std::move(completion));
}

std::vector<std::byte> CpuRuntime::read(const Buffer& buffer) {
    const auto* data = static_cast<const std::byte*>(buffer.data);
    return {data, data + buffer.bytes};
}

void CpuRuntime::serve(const std::function<bool()>& ended) {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, ended);
}

void CpuRuntime::wake() {
    const std::lock_guard lock(mutex_); // not between the look and the sleep of serve()
    ended_.notify_all();
}

} // namespace doppler::engine
