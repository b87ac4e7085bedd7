#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>

#include "core/engine/Kernels.h"
#include "core/engine/Runtime.h"
#include "core/engine/cpu/BufferPool.h"
#include "core/engine/cpu/WorkerLane.h"

namespace doppler::engine {

/// CPU devices: a worker thread for each compute slot, pinned to a processor of its own where there
/// are enough; memory of its own for each device; a copy worker, never pinned, for each directed
/// pair of devices that moves data. More devices than processors share them, and info() says so.
class CpuRuntime : public Runtime {
public:
    /// Devices and slots are the cluster's.
    CpuRuntime(const cluster::Cluster& cluster, std::shared_ptr<Kernels> kernels);
    ~CpuRuntime() override;

    const RuntimeInfo& info() const override { return info_; }
    Time now() const override;
    void prepare(const sim::Problem& problem, const sim::Assignment& assignment) override;
    void begin(CompletionSink& sink) override { sink_ = &sink; }
    Buffer allocate(DeviceId device, std::int64_t bytes, BufferUse use) override;
    void release(const Buffer& buffer) override;
    void launch(const OpTask& task) override;
    void copy(const CopyTask& task) override;
    std::vector<std::byte> read(const Buffer& buffer) override;
    void serve(const std::function<bool()>& ended) override;
    void wake() override;

    /// Buffers that are not released.
    std::int64_t buffersHeld() const { return buffersHeld_; }

private:
    void runOp(const OpTask& task, int lane);
    void runCopy(const CopyTask& task);
    int laneOf(DeviceId device, std::int32_t slot) const {
        return firstLane_[static_cast<std::size_t>(device)] + slot;
    }

    RuntimeInfo info_;
    std::shared_ptr<Kernels> kernels_;
    std::vector<int> firstLane_; // by device; one past the last at the end
    std::vector<BufferPool> pools_;
    std::int64_t buffersHeld_ = 0;
    CompletionSink* sink_ = nullptr;
    std::mutex mutex_; // of serve() and wake()
    std::condition_variable ended_;
    std::vector<std::unique_ptr<WorkerLane<OpTask>>> opLanes_;
    std::vector<std::unique_ptr<WorkerLane<CopyTask>>> copyLanes_; // by pair; null: not needed yet
};

} // namespace doppler::engine
