#pragma once

#include <filesystem>

#include "core/place/policy/EvolutionStrategy.h"
#include "core/place/policy/GeneralTraining.h"

namespace doppler::place {

/// Where a training of general policies stands.
struct TrainingState {
    std::vector<LinearPolicy> members; ///< finished
    std::int64_t generation = 0;       ///< of the member in training
    double memberSeconds = 0;          ///< that went into it
    double seconds = 0;                ///< that went into all
    EvolutionStrategy::State strategy; ///< empty before a member's first generation
    std::vector<double> meanSum;       ///< of the strategy's last means
    std::int64_t meanCount = 0;
    double value = 0; ///< running mean of the objective
};

/// A training of general policies as its file has it.
struct SavedTraining {
    /// What it was started with: seed, pool, members, population, problems a generation, and the
    /// budget that it had last; the file is their statePath.
    GeneralTrainingOptions options;
    TrainingState state;

    bool finished() const { return static_cast<int>(state.members.size()) >= options.members; }
};

/// The file: the line "doppler-policy-training/2", a line with the CRC-32 of all that follows it,
/// then JSON. Written atomically.
void writeTrainingState(const TrainingState& state, const GeneralTrainingOptions& options);

/// Throws InputError if it is not there, of another format, or damaged.
SavedTraining readSavedTraining(const std::filesystem::path& path);

} // namespace doppler::place
