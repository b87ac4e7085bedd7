#pragma once

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "core/engine/Runtime.h"

namespace doppler::tests {

/// What a fake runtime does, beyond working.
struct FakeBehaviour {
    std::uint64_t seed = 1;
    sim::LinkContention contention = sim::LinkContention::PerPair;
    /// Completions come long after the ends that they tell, in any order; else as each ends.
    bool late = false;
    int failingOp = -1;      ///< number of the launch that fails; -1: none
    int failingCopy = -1;    ///< number of the copy that fails
    int throwingLaunch = -1; ///< number of the launch that throws
    int throwingAllocation = -1;
    int fullAllocation = -1;  ///< number of the allocation for which the device has no room
    int fullPreparation = -1; ///< number of the assignment for whose inputs it has none
    /// Called before each delivery, with its number: to cancel at some moment.
    std::function<void(int)> beforeDelivery;
};

/// A runtime in virtual time and one thread: it ends what runs in a random order that depends on
/// the seed alone. It computes nothing, but keeps book of every buffer, and remembers the first
/// thing that an executor did wrong: an operand that is not there, memory beyond a device's
/// capacity, a buffer released twice or too early.
class FakeRuntime : public engine::Runtime {
public:
    explicit FakeRuntime(FakeBehaviour behaviour);

    /// The executor's first mistake; empty: none.
    const std::string& mistake() const { return mistake_; }
    std::size_t buffersHeld() const { return buffers_.size(); }
    std::size_t tasksLeft() const { return pending_.size(); }
    int deliveries() const { return deliveries_; }

    const engine::RuntimeInfo& info() const override { return info_; }
    Time now() const override { return time_; }
    void prepare(const sim::Problem& problem, const sim::Assignment& assignment) override;
    void begin(engine::CompletionSink& sink) override;
    engine::Buffer allocate(DeviceId device, std::int64_t bytes, engine::BufferUse use) override;
    void release(const engine::Buffer& buffer) override;
    void launch(const engine::OpTask& task) override;
    void copy(const engine::CopyTask& task) override;
    std::vector<std::byte> read(const engine::Buffer& buffer) override;
    void serve(const std::function<bool()>& ended) override;
    void wake() override {}

private:
    struct Contents {
        std::int64_t bytes = 0;
        DeviceId device = kNoDevice;
        OpId op = kNoOp; ///< whose output it is
        bool ready = false;
        int users = 0; ///< tasks that use it right now
    };
    struct Pending {
        engine::Completion completion;
        std::vector<Contents*> reads;
        Contents* writes = nullptr;
    };

    std::int64_t dice(std::int64_t least, std::int64_t most);
    void blame(const std::string& what);
    Contents* contentsOf(const engine::Buffer& buffer, const std::string& what);
    void use(Pending& pending, const engine::Buffer& buffer, OpId op, DeviceId device);
    void add(Pending pending, const engine::Buffer& output, OpId op, DeviceId device);

    FakeBehaviour behaviour_;
    engine::RuntimeInfo info_;
    std::mt19937_64 random_;
    std::shared_ptr<const graph::Graph> graph_;
    std::vector<std::int64_t> capacity_;
    std::vector<std::int64_t> held_;
    std::map<Contents*, std::unique_ptr<Contents>> buffers_;
    std::vector<Pending> pending_;
    engine::CompletionSink* sink_ = nullptr;
    Time time_ = 1000;
    int preparations_ = 0;
    int launches_ = 0;
    int copies_ = 0;
    int allocations_ = 0;
    int deliveries_ = 0;
    std::string mistake_;
};

} // namespace doppler::tests
