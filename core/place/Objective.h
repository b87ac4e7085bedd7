#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/sim/Problem.h"

namespace doppler::place {

/// What a placer makes small. The value is a time of the problem's unit; smaller is better.
struct Objective {
    enum class Measure : std::uint8_t {
        Makespan,
        Mean,         ///< of the makespans of seeded noisy runs
        Percentile95, ///< of the same: the value that 95 % of the runs stay within
    };
    enum class Memory : std::uint8_t {
        Hard,    ///< a placement that fits its devices beats every one that does not
        Penalty, ///< the value grows by the share of its capacity that each device lacks
        Ignore,
    };

    Measure measure = Measure::Makespan;
    int runs = 1; ///< noisy runs a placement; for Mean and Percentile95
    Memory memory = Memory::Hard;
    /// Adds this much of the summed time of all transfers.
    double traffic = 0;

    bool operator==(const Objective&) const = default;
};

/// Noisy runs vary by this where the simulation options draw no durations (coefficient of
/// variation).
inline constexpr double kDefaultVariation = 0.1;

/// Coefficient of variation of the durations in the runs that judge a placement: the one of the
/// simulation options, or kDefaultVariation; 0 where the measure is the makespan, which is that of
/// the options' one run.
double noiseOf(const Objective& objective, const sim::Problem& problem);

/// Runs that a placement is judged by where nobody said how many.
inline constexpr int kUsualNoisyRuns = 16;

/// The makespan where durations are fixed; where they are random, one run is luck, and it is the
/// mean of kUsualNoisyRuns.
Objective usualObjective(const sim::Problem& problem);

/// "makespan", "p95:32,memory=penalty,traffic=0.1": what parseObjective() reads.
std::string name(const Objective& objective);

/// The name, and the noise of the runs where there is any: "mean:8, noise 0.1".
std::string nameWithNoise(const Objective& objective, const sim::Problem& problem);

/// MEASURE[,memory=hard|penalty|ignore][,traffic=W], MEASURE one of makespan, mean:N, p95:N.
/// Throws InputError for anything else; `where` begins its message.
Objective parseObjective(std::string_view text, const std::string& where = "objective");

/// Total time of all transfers of an assignment, each value once per destination where the options
/// share copies.
Time transferTime(const sim::Problem& problem, const sim::Assignment& assignment);

} // namespace doppler::place
