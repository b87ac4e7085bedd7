#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>

#include "core/place/policy/PolicyPortfolio.h"

namespace doppler::place {

/// How a portfolio of general policies is trained.
struct GeneralTrainingOptions {
    std::uint64_t seed = 1;
    double budgetSeconds = 180; ///< of all members, over all resumed runs
    int pool = 1000;            ///< generated problems
    int members = 12;
    int population = 40; ///< policies a generation
    int problemsPerGeneration = 16;
    int threads = 2; ///< changes the speed only
    /// Generations a member, instead of a share of the budget: then the result is the same on every
    /// run.
    std::optional<std::int64_t> generations;
    /// Where the state is kept, to go on after an interruption; empty: nowhere.
    std::filesystem::path statePath;
    bool resume = false;
};

struct GeneralTrainingProgress {
    double seconds = 0;
    double fraction = 0;
    int member = 0; ///< 0-based: the one that is being trained
    std::int64_t generation = 0;
    /// Mean over recent generations of log(makespan / critical path): of the member, or of the
    /// portfolio with it.
    double value = 0;
    double rolloutsPerSecond = 0;
};

/// Trains a portfolio by evolution strategies on generated problems (seeds of their own: see
/// kHeldOutSeeds). The first member is the best policy on its own; each further one starts from it
/// and adds most to those before: it minimises the mean log of the least makespan of all over
/// critical path. Stopped, it returns the members made so far; resumed after its end, all of them
/// without training. Throws InputError where a state cannot be resumed or is one with other
/// options, or is there already and `resume` is not asked.
PolicyPortfolio
trainGeneralPolicies(const GeneralTrainingOptions& options, std::stop_token stop,
                     const std::function<void(const GeneralTrainingProgress&)>& progress);

/// Generated problems with these seeds and above are never trained on.
inline constexpr std::uint64_t kHeldOutSeeds = std::uint64_t{1} << 40;

} // namespace doppler::place
