#include "core/engine/RuntimeEvaluator.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "core/engine/Executor.h"
#include "core/engine/emulated/EmulatedRuntime.h"

namespace doppler::engine {

namespace {

Time runOnce(Executor& executor, std::span<const DeviceId> assignment,
             const std::stop_token& stop = {}) {
    executor.prepare(sim::Assignment(assignment.begin(), assignment.end()));
    const Execution run = executor.run({.stop = stop});
    if (run.outcome == Outcome::Cancelled) {
        throw learn::EvaluationStopped();
    }
    if (run.lacksMemory) {
        throw learn::CannotRun(run.message);
    }
    if (run.outcome != Outcome::Done) {
        throw std::runtime_error(run.message);
    }
    return run.timeline.makespan;
}

class RuntimeEvaluator : public learn::Evaluator {
public:
    RuntimeEvaluator(std::shared_ptr<const sim::Problem> problem, std::shared_ptr<Runtime> runtime)
        : runtime_(std::move(runtime)), executor_(std::move(problem), *runtime_) {}

    std::string name() const override { return runtime_->info().name; }
    int lanes() const override { return 1; }
    Time evaluate(int, std::span<const DeviceId> assignment, std::uint64_t) override {
        return runOnce(executor_, assignment, stop_);
    }
    void stopOn(const std::stop_token& stop) override { stop_ = stop; }

private:
    std::shared_ptr<Runtime> runtime_;
    Executor executor_;
    std::stop_token stop_;
};

class TestbedEvaluator : public learn::Evaluator {
public:
    TestbedEvaluator(const std::shared_ptr<const sim::Problem>& problem, const Testbed& testbed,
                     int lanes) {
        for (int lane = 0; lane < std::max(lanes, 1); ++lane) {
            lanes_.push_back(std::make_unique<Lane>(problem, testbed));
        }
    }

    std::string name() const override { return "emulated"; }
    int lanes() const override { return static_cast<int>(lanes_.size()); }
    Time evaluate(int lane, std::span<const DeviceId> assignment, std::uint64_t seed) override {
        Lane& used = *lanes_[static_cast<std::size_t>(lane)];
        used.runtime.setSeed(seed);
        return runOnce(used.executor, assignment);
    }

private:
    struct Lane {
        Lane(const std::shared_ptr<const sim::Problem>& problem, const Testbed& testbed)
            : runtime(testbed), executor(problem, runtime) {}
        EmulatedRuntime runtime;
        Executor executor;
    };
    std::vector<std::unique_ptr<Lane>> lanes_;
};

} // namespace

std::shared_ptr<learn::Evaluator> runtimeEvaluator(std::shared_ptr<const sim::Problem> problem,
                                                   std::shared_ptr<Runtime> runtime) {
    return std::make_shared<RuntimeEvaluator>(std::move(problem), std::move(runtime));
}

std::shared_ptr<learn::Evaluator> testbedEvaluator(std::shared_ptr<const sim::Problem> problem,
                                                   const Testbed& testbed, int lanes) {
    return std::make_shared<TestbedEvaluator>(problem, testbed, lanes);
}

std::shared_ptr<learn::Evaluator> systemEvaluator(const RunSetupRequest& request, int lanes) {
    RunSetup setup = setUpRun(request);
    return setup.runtime->info().emulated
               ? testbedEvaluator(setup.executed, testbedOf(*setup.executed->cluster), lanes)
               : runtimeEvaluator(setup.executed, std::move(setup.runtime));
}

} // namespace doppler::engine
