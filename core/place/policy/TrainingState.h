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

/// "format": "doppler-policy-training/1". Written atomically.
void writeTrainingState(const TrainingState& state, const GeneralTrainingOptions& options);

/// Throws InputError if it is not there, broken, or of another training.
TrainingState readTrainingState(const GeneralTrainingOptions& options);

} // namespace doppler::place
