#include "core/engine/emulated/EmulatedRuntime.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/sim/Noise.h"

namespace doppler::engine {

namespace {

constexpr std::uint64_t kDeviceStream =
    0x64657669636573; // speeds belong to the testbed, not to a run

/// In -1..1, the same for a device in every run.
double deviation(std::size_t device) {
    std::uint64_t state = kDeviceStream + device;
    return static_cast<double>(sim::splitMix(state) >> 11) * 0x1p-52 - 1;
}

Time scaled(Time time, double factor) {
    return std::llround(static_cast<double>(time) * factor);
}

} // namespace

// The earliest on top; ties in a fixed order, so that runs repeat.
bool EmulatedRuntime::Later::operator()(const Completion& a, const Completion& b) const {
    return std::tuple(a.end, a.isCopy, a.id) > std::tuple(b.end, b.isCopy, b.id);
}

EmulatedRuntime::EmulatedRuntime(Testbed testbed, std::uint64_t seed)
    : testbed_(std::move(testbed)), seed_(seed) {
    info_ = {.name = "emulated",
             .emulated = true,
             .contention = testbed_.contention,
             .notes = {testbed_.description}};
}

void EmulatedRuntime::prepare(const sim::Problem& problem, const sim::Assignment& assignment) {
    graph_ = problem.graph;
    costs_ = problem.costs;
    assignment_ = assignment;
    deviceSpeed_.clear();
    for (std::size_t device = 0; device < static_cast<std::size_t>(problem.deviceCount());
         ++device) {
        deviceSpeed_.push_back(1 + testbed_.deviceSpread * deviation(device));
    }
    double work = 0;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        work += costs_->meanCompute(op);
    }
    launchTime_ = std::llround(testbed_.launchShare * work / std::max(problem.opCount(), 1));
}

Time EmulatedRuntime::now() const {
    const std::lock_guard lock(mutex_);
    return time_;
}

void EmulatedRuntime::begin(CompletionSink& sink) {
    sink_ = &sink;
    runSeed_ = sim::seedOfRun(seed_, run_++);
    const std::lock_guard lock(mutex_);
    pending_ = {};
    time_ = 0;
}

Buffer EmulatedRuntime::allocate(DeviceId device, std::int64_t bytes, BufferUse) {
    return {.data = nullptr, .bytes = bytes, .device = device};
}

void EmulatedRuntime::add(bool isCopy, std::int32_t id, Time duration) {
    Completion completion;
    completion.isCopy = isCopy;
    completion.id = id;
    const std::lock_guard lock(mutex_);
    completion.start = time_;
    completion.end = time_ + duration;
    pending_.push(std::move(completion));
    changed_.notify_all();
}

void EmulatedRuntime::launch(const OpTask& task) {
    const double speed = testbed_.efficiency[static_cast<std::size_t>(graph_->kind(task.op))] *
                         deviceSpeed_[static_cast<std::size_t>(task.device)];
    const Time time = scaled(costs_->compute(task.op, task.device), 1 / speed) + launchTime_;
    add(false, task.op, sim::Noise(testbed_.jitter, runSeed_).opTime(task.op, time));
}

// The dearest of the edges that share the copy stands for it.
EdgeId EmulatedRuntime::edgeOfCopy(OpId op, DeviceId destination) const {
    EdgeId dearest = kNoEdge;
    Time most = -1;
    const DeviceId from = assignment_[static_cast<std::size_t>(op)];
    for (EdgeId edge = graph_->firstOutEdge(op); edge < graph_->endOutEdge(op); ++edge) {
        if (assignment_[static_cast<std::size_t>(graph_->target(edge))] == destination) {
            const Time time = costs_->transfer(edge, op, from, destination);
            if (time > most) {
                most = time;
                dearest = edge;
            }
        }
    }
    return dearest;
}

void EmulatedRuntime::copy(const CopyTask& task) {
    const DeviceId to = task.destination.device;
    const EdgeId edge = edgeOfCopy(task.op, to);
    const Time time = scaled(costs_->transfer(edge, task.op, task.source.device, to),
                             1 / testbed_.linkEfficiency);
    add(true, task.copy, sim::Noise(testbed_.jitter, runSeed_).transferTime(edge, time));
}

void EmulatedRuntime::serve(const std::function<bool()>& ended) {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return !pending_.empty() || ended(); });
        if (ended()) {
            return;
        }
        Completion next = pending_.top();
        pending_.pop();
        time_ = next.end;
        lock.unlock();
        sink_->post(std::move(next));
        lock.lock();
    }
}

void EmulatedRuntime::wake() {
    const std::lock_guard lock(mutex_); // not between the look and the sleep of serve()
    changed_.notify_all();
}

} // namespace doppler::engine
