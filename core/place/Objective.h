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

/// "makespan", "p95:32,memory=penalty,traffic=0.1": what parseObjective() reads.
std::string name(const Objective& objective);

/// MEASURE[,memory=hard|penalty|ignore][,traffic=W], MEASURE one of makespan, mean:N, p95:N.
/// Throws InputError for anything else.
Objective parseObjective(std::string_view text);

/// Total time of all transfers of an assignment, each value once per destination where the options
/// share copies.
Time transferTime(const sim::Problem& problem, const sim::Assignment& assignment);

} // namespace doppler::place
