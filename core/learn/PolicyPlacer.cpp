#include "core/learn/PolicyPlacer.h"

#include <chrono>

#include "core/cost/FormatQuantity.h"
#include "core/learn/Checkpoint.h"
#include "core/learn/Learner.h"
#include "core/learn/Rollout.h"
#include "core/place/MemoryNotes.h"
#include "core/place/PlacerEntry.h"
#include "core/place/Registry.h"
#include "core/place/SearchEvaluator.h"

namespace doppler::learn {

place::PlacerInfo policyPlacerInfo() {
    return {.name = std::string(place::kTrainedPlacer),
            .description = "A policy trained by `doppler train`, as it is: its greedy episode or "
                           "the best of 64 sampled ones.",
            .source = "DOPPLER: Dual-Policy Learning for Device Assignment, ICLR 2026",
            .random = true};
}

place::PlaceResult placeWithPolicy(const place::PlaceRequest& request,
                                   const std::filesystem::path& path, int samples) {
    const auto began = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    };
    const Checkpoint checkpoint = readCheckpoint(path);
    const sim::Problem& problem = *request.problem;
    std::vector<std::string> notes = place::pinNotes(problem);
    if (problem.opCount() == 0) {
        return place::evaluated(request, {}, std::move(notes));
    }
    const NetworkShape shape = networkShape(checkpoint.options);
    const auto features =
        std::make_shared<const GraphFeatures>(problem, checkpoint.options.extendedFeatures);
    const auto rolloutProblem = std::make_shared<const RolloutProblem>(request.problem, *features);
    useOneLibTorchThread();
    Encoder encoder(shape, features);
    PolicyTables tables;
    tables.resize(problem.opCount(), shape.hidden);
    encoder.forward(0, checkpoint.policyWeights(), tables, false);
    encoder.forward(1, checkpoint.policyWeights(), tables, false);
    tables.prepare();

    Rollout rollout(rolloutProblem, shape.hidden);
    place::Evaluator evaluator(request.problem, request.objective);
    evaluator.stopOn(request.stop);
    Episode episode;
    Time greedy = 0; // its makespan
    sim::Assignment best;
    Time bestValue = 0;
    int valueRuns = 0; // that it is over, if a stop cut their number short
    std::int64_t evaluations = 0;
    for (int i = 0; i <= samples && (i == 0 || !request.stop.stop_requested()); ++i) {
        rollout.run(tables, {.greedy = i == 0, .mode = checkpoint.options.mode},
                    mixSeeds(request.seed, 31, static_cast<std::uint64_t>(i)), episode);
        const Time value = evaluator.value(episode.assignment);
        ++evaluations;
        if (evaluator.gaveUp()) {
            if (i > 0) {
                break;
            }
            valueRuns = evaluator.runsMade();
        }
        greedy = i == 0 ? evaluator.makespan(episode.assignment) : greedy;
        const bool better = i == 0 || value < bestValue;
        if (better) {
            bestValue = value;
            best = episode.assignment;
        }
        if (better && request.progress) {
            place::PlaceProgress progress;
            progress.seconds = seconds();
            progress.fraction = i / static_cast<double>(samples + 1);
            progress.best = value;
            progress.evaluations = evaluations;
            progress.improved = std::make_shared<const sim::Assignment>(episode.assignment);
            request.progress(progress);
        }
    }
    if (!checkpoint.note.empty()) {
        notes.push_back(checkpoint.note);
    }
    for (std::string& note : place::memoryNotes(request.problem, best)) {
        notes.push_back(std::move(note));
    }
    notes.push_back("the greedy episode takes " + cost::formatTime(greedy, problem.costs->unit()));
    place::PlaceResult result = place::evaluated(request, std::move(best), std::move(notes));
    result.objective = request.objective;
    result.value = bestValue;
    result.valueRuns = valueRuns;
    result.evaluations = evaluations;
    result.seconds = seconds();
    return result;
}

} // namespace doppler::learn
