#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/learn/Elites.h"
#include "core/learn/NetworkShape.h"
#include "core/learn/RunningBaseline.h"
#include "core/learn/Trainer.h"

namespace doppler::learn {

/// A placement that a checkpoint keeps; makespan 0: none.
struct SavedRecord {
    Time makespan = 0;
    sim::Assignment assignment;
    Origin by = Origin::Sample;
    bool fits = true; ///< the memory of the devices; found out anew, not in the file
};

/// What training has found on one problem.
struct SavedProblem {
    std::string graph; ///< its name, for people
    std::string hash;  ///< of the problem: see problemHash()
    SavedRecord best, policy, greedy;
    Time teacher = 0;
    RunningBaseline baseline;
    std::vector<Elite> elites;
    std::vector<Elite> imitated;
    std::string evaluator; ///< name of what judges stage III; empty: nothing does
    /// rankOf() the placement in best.assignment.json if it is the greedy one of the end of a run,
    /// better than `best`; else 0. The curve of a resumed run must not know of it.
    Time kept = 0;
};

/// How far a training is.
struct SavedProgress {
    int stage = 0; ///< index in options.stages
    std::int64_t stageUpdates = 0;
    std::int64_t stageEpisodes = 0;
    std::int64_t updates = 0;
    std::int64_t episodes = 0;
    double seconds = 0;
    // Plateau: smoothed mean, its best, and the stage's update of the last improvement.
    double smoothed = 0;
    double bestSmoothed = 0;
    double bestSum = 0;
    std::int64_t improvedAt = 0;
    std::int64_t agreedInARow = 0;
    bool onSystem = false; ///< makespans are measured, not simulated
    bool finished = false;
    std::int64_t episodesFileBytes = 0; ///< what of episodes.csv belongs to it
};

/// The weights whose greedy episode is the best that was seen: what is used where a policy is used.
/// Training itself goes on from the latest ones, which may be worse for a while.
struct BestWeights {
    std::vector<float> weights; ///< empty: none were judged, the latest count
    /// Mean over the problems of the logarithm of the greedy episode's makespan; one random draw of
    /// noise, the same for all weights.
    double score = 0;
    std::int64_t update = 0; ///< so many updates had been made
};

/// A policy and the training that it comes from: all that resuming needs.
///
/// The file: the line "doppler-checkpoint/3", a line with the CRC-32 of all that follows it, a line
/// with the number of bytes of a JSON header, the header (program version, network sizes, names of
/// features of ops and devices, names and shapes of weights, options, progress, what was found),
/// then little-endian 32-bit floats: the weights, Adam's mean and square, and the best weights if
/// the header tells of them. Files of "doppler-checkpoint/2", which never have those, and of
/// "doppler-checkpoint/1", which have no line of a CRC either, are still read.
struct Checkpoint {
    std::string programVersion;
    TrainOptions options;
    std::uint64_t seed = 1;
    SavedProgress progress;
    std::vector<SavedProblem> problems;
    std::vector<float> weights;
    std::int64_t adamSteps = 0;
    std::vector<float> adamMean;
    std::vector<float> adamSquare;
    BestWeights best;
    /// What to tell about the file it was read from, in a sentence; empty: nothing.
    std::string note;

    /// What the policy is used with.
    const std::vector<float>& policyWeights() const {
        return best.weights.empty() ? weights : best.weights;
    }
};

/// Throws InputError for a hidden size or a number of layers that no network has.
void checkNetworkSize(const TrainOptions& options);

/// The network that options describe.
NetworkShape networkShape(const TrainOptions& options);

/// Atomic. Throws std::runtime_error like io::writeFileAtomically.
void writeCheckpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Throws InputError for a file that is none, is damaged, or holds a network that this program does
/// not build (other features or shapes): the message says which.
Checkpoint readCheckpoint(const std::filesystem::path& path);

/// Throws InputError if the run of `checkpoint`, in that folder, is not one on these problems.
void checkProblems(const Checkpoint& checkpoint, const std::filesystem::path& folder,
                   const std::vector<std::shared_ptr<const sim::Problem>>& problems);

/// A digest of all that the makespans of a problem depend on: edges, costs, pins, simulator
/// options.
std::string problemHash(const sim::Problem& problem);

} // namespace doppler::learn
