#include "core/learn/Evaluator.h"

#include <algorithm>
#include <vector>

#include "core/place/MemoryLedger.h"
#include "core/place/SearchEvaluator.h"
#include "core/sim/Simulator.h"

namespace doppler::learn {

namespace {

class SimulatorEvaluator : public Evaluator {
public:
    SimulatorEvaluator(const std::shared_ptr<const sim::Problem>& problem, int lanes) {
        for (int lane = 0; lane < std::max(lanes, 1); ++lane) {
            simulators_.emplace_back(problem);
            if (place::memoryMatters(*problem)) {
                memories_.emplace_back(problem, place::Objective());
            }
        }
    }

    std::string name() const override { return "simulator"; }
    int lanes() const override { return static_cast<int>(simulators_.size()); }

    Time evaluate(int lane, std::span<const DeviceId> assignment, std::uint64_t seed) override {
        sim::Simulator& simulator = simulators_[static_cast<std::size_t>(lane)];
        simulator.setSeed(seed);
        return simulator.makespan(assignment);
    }

    double lackingMemory(int lane, const sim::Assignment& assignment) override {
        return memories_.empty()
                   ? 0
                   : memories_[static_cast<std::size_t>(lane)].missingShare(assignment);
    }

private:
    std::vector<sim::Simulator> simulators_;
    std::vector<place::Evaluator> memories_; // none where all fits everywhere
};

} // namespace

std::shared_ptr<Evaluator> simulatorEvaluator(std::shared_ptr<const sim::Problem> problem,
                                              int lanes) {
    return std::make_shared<SimulatorEvaluator>(problem, lanes);
}

} // namespace doppler::learn
