#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <queue>
#include <vector>

#include "core/engine/Runtime.h"
#include "core/engine/emulated/Testbed.h"

namespace doppler::engine {

/// A testbed as a runtime: runs in virtual time, delivered by the thread that serves it, computes
/// no numbers. Each run draws other luck; the same seeds draw the same.
class EmulatedRuntime : public Runtime {
public:
    explicit EmulatedRuntime(Testbed testbed, std::uint64_t seed = 1);

    /// The next run draws its luck from this seed, those after it from seeds of the same series
    /// (see sim::seedOfRun()).
    void setSeed(std::uint64_t seed) {
        seed_ = seed;
        run_ = 0;
    }

    const RuntimeInfo& info() const override { return info_; }
    Time now() const override;
    void prepare(const sim::Problem& problem, const sim::Assignment& assignment) override;
    void begin(CompletionSink& sink) override;
    Buffer allocate(DeviceId device, std::int64_t bytes, BufferUse use) override;
    void release(const Buffer&) override {}
    void launch(const OpTask& task) override;
    void copy(const CopyTask& task) override;
    std::vector<std::byte> read(const Buffer&) override { return {}; }
    void serve(const std::function<bool()>& ended) override;
    void wake() override;

private:
    struct Later {
        bool operator()(const Completion& a, const Completion& b) const;
    };

    void add(bool isCopy, std::int32_t id, Time duration);
    EdgeId edgeOfCopy(OpId op, DeviceId destination) const;

    Testbed testbed_;
    RuntimeInfo info_;
    std::uint64_t seed_;
    std::uint64_t run_ = 0; ///< since the seed was set
    std::uint64_t runSeed_ = 0;
    std::shared_ptr<const graph::Graph> graph_;
    std::shared_ptr<const cost::CostTable> costs_;
    sim::Assignment assignment_;
    std::vector<double> deviceSpeed_;
    Time launchTime_ = 0;
    CompletionSink* sink_ = nullptr;
    // Whoever cancels may run the executor's loop, and launch, beside the thread that serves.
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::priority_queue<Completion, std::vector<Completion>, Later> pending_; // guarded
    Time time_ = 0;                                                           // guarded
};

} // namespace doppler::engine
