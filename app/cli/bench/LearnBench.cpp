#include "app/cli/bench/LearnBench.h"

#include "app/cli/bench/Measure.h"
#include "core/learn/Checkpoint.h"
#include "core/learn/Encoder.h"
#include "core/learn/Rollout.h"
#include "core/learn/Trainer.h"
#include "core/workload/Workload.h"

namespace doppler::cli {

namespace {

constexpr int kThreads = 2;

std::shared_ptr<const sim::Problem> layer(int devices) {
    return sim::makeProblem(
        workload::generate("llama-layer:devices=" + std::to_string(devices)),
        std::make_shared<const cluster::Cluster>(cluster::uniformCluster(devices)),
        cost::CostModel::Published, sim::SimOptions::published());
}

/// Stage II alone: episodes a second of `fast`, where its time goes as the note.
BenchRow trainingRow(int devices, double target) {
    constexpr std::int64_t kUpdates = 120;
    learn::TrainRequest request;
    request.problems = {layer(devices)};
    request.options = learn::presetOptions("fast");
    request.options.stages = {{learn::Stage::Simulation, kUpdates * request.options.batch}};
    request.options.polish = false;
    request.threads = kThreads;
    const learn::TrainResult result = learn::train(request);
    const auto perUpdate = [&](double seconds) {
        return std::to_string(seconds * 1e3 / static_cast<double>(result.updates)).substr(0, 4);
    };
    return {"train llama-layer, " + std::to_string(devices) + " devices, batch 64",
            result.episodesPerSecond,
            "episodes/s",
            target,
            false,
            "2 threads; ms an update: encoder " + perUpdate(result.times.encoder) + ", rollouts " +
                perUpdate(result.times.rollouts) + ", gradient " +
                perUpdate(result.times.gradient) + ", backward " +
                perUpdate(result.times.backward)};
}

BenchRow rolloutRow() {
    const auto problem = layer(4);
    const learn::TrainOptions options = learn::presetOptions("fast");
    const learn::NetworkShape shape = learn::networkShape(options);
    const std::vector<float> weights = shape.initial(1);
    const auto features = std::make_shared<const learn::GraphFeatures>(*problem, true);
    learn::Encoder encoder(shape, features);
    learn::PolicyTables tables;
    tables.resize(problem->opCount(), shape.hidden);
    encoder.forward(0, weights, tables, false);
    encoder.forward(1, weights, tables, false);
    tables.prepare();
    learn::Rollout rollout(std::make_shared<const learn::RolloutProblem>(problem, *features),
                           shape.hidden);
    learn::Episode episode;
    const double seconds =
        medianSeconds([&] { rollout.run(tables, {.greedy = true}, 1, episode); });
    return {"greedy rollout of llama-layer, 4 devices",
            seconds * 1e3,
            "ms",
            0.2,
            true,
            std::to_string(problem->opCount()) + " ops, after the encoder"};
}

} // namespace

std::vector<BenchRow> benchLearning() {
    constexpr double kEpisodesOnFour = 4500;
    constexpr double kEpisodesOnEight = 2000;
    return {trainingRow(4, kEpisodesOnFour), trainingRow(8, kEpisodesOnEight), rolloutRow()};
}

} // namespace doppler::cli
