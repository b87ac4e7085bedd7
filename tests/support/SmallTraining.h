#pragma once

#include <QTemporaryDir>

#include <atomic>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/graph/InputError.h"
#include "core/learn/Trainer.h"
#include "core/sim/Simulator.h"
#include "tests/support/RandomProblem.h"

/// Trainings that take a moment, and what tests ask of them.
namespace doppler::tests {

using learn::EndReason;
using learn::Stage;
using learn::TrainRequest;
using learn::TrainResult;
using learn::UpdateFacts;

inline std::shared_ptr<const sim::Problem> smallProblem(int ops = 24, std::uint64_t seed = 2) {
    RandomProblemSpec spec;
    spec.ops = ops;
    spec.options = sim::SimOptions::published();
    return randomProblem(spec, seed);
}

/// A training that takes a moment.
inline TrainRequest smallRequest(std::int64_t updates = 20) {
    constexpr int kBatch = 8;
    TrainRequest request;
    request.problems = {smallProblem()};
    request.options.hidden = 16;
    request.options.batch = kBatch;
    request.options.elitesPerUpdate = 2;
    request.options.teacherPlacements = 1;
    request.options.stages = {{Stage::Imitation, 5}, {Stage::Simulation, updates * kBatch}};
    request.threads = 1;
    return request;
}

/// Everything of a curve that may not depend on threads or interruptions.
struct Curve {
    std::vector<Time> makespans;
    std::vector<double> losses;
    std::vector<Time> bests;

    bool operator==(const Curve&) const = default;
};

inline Curve curveOf(TrainRequest request, TrainResult* result = nullptr) {
    Curve curve;
    request.progress = [&](const UpdateFacts& facts) {
        curve.makespans.insert(curve.makespans.end(), facts.makespans.begin(),
                               facts.makespans.end());
        curve.losses.push_back(facts.loss);
        curve.bests.push_back(facts.best);
    };
    const TrainResult trained = learn::train(request);
    if (result != nullptr) {
        *result = trained;
    }
    return curve;
}

inline Curve joined(Curve first, const Curve& second) {
    first.makespans.insert(first.makespans.end(), second.makespans.begin(), second.makespans.end());
    first.losses.insert(first.losses.end(), second.losses.begin(), second.losses.end());
    first.bests.insert(first.bests.end(), second.bests.begin(), second.bests.end());
    return first;
}

/// Trains until so many updates are over, then stops as Ctrl-C does.
inline Curve curveUntil(TrainRequest request, std::int64_t updates) {
    std::stop_source stop;
    request.stop = stop.get_token();
    Curve curve;
    request.progress = [&](const UpdateFacts& facts) {
        curve = joined(
            curve, {{facts.makespans.begin(), facts.makespans.end()}, {facts.loss}, {facts.best}});
        if (facts.update == updates) {
            stop.request_stop();
        }
    };
    if (learn::train(request).reason != EndReason::Stopped) {
        throw std::runtime_error("it ended on its own");
    }
    return curve;
}

inline std::filesystem::path pathOf(const QTemporaryDir& dir) {
    return dir.path().toStdString() + "/run";
}

inline std::string refusal(const TrainRequest& request) {
    try {
        learn::train(request);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

/// Twice what the simulator says, by a rule that tests can tell.
class DoublingEvaluator : public learn::Evaluator {
public:
    explicit DoublingEvaluator(std::shared_ptr<const sim::Problem> problem)
        : simulator_(std::move(problem)) {}
    std::string name() const override { return "doubling"; }
    int lanes() const override { return 1; }
    Time evaluate(int lane, std::span<const DeviceId> assignment, std::uint64_t) override {
        if (lane != 0 || busy_.exchange(true)) {
            throw std::logic_error("called twice at once");
        }
        if (before) {
            before();
        }
        const Time makespan = 2 * simulator_.makespan(assignment);
        busy_ = false;
        return makespan;
    }

    std::function<void()> before; ///< each evaluation

private:
    sim::Simulator simulator_;
    std::atomic<bool> busy_{false};
};

} // namespace doppler::tests
