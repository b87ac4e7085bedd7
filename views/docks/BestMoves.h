#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::views {

/// Single-op changes that shorten the makespan; those alike in gain, device and direction are one.
struct BestMove {
    std::vector<OpId> ops; ///< the one to show first
    DeviceId from = kNoDevice;
    DeviceId to = kNoDevice;
    Time gain = 0; ///< makespan before less after; over 0.001 % of it
};

struct BestMoves {
    std::vector<BestMove> moves; ///< largest gain first
    int tried = 0;               ///< changes simulated
    /// By op: gain of its best move, 0 if none helps.
    std::vector<Time> gainOf;
};

/// Tries every op on every other device, one at a time; pinned ops stay. At most `limit` moves
/// (after folding). Stops early with what it has, when asked.
BestMoves findBestMoves(std::shared_ptr<const sim::Problem> problem,
                        const sim::Assignment& assignment, std::size_t limit, std::stop_token stop);

/// Makespan if all of `ops` ran on each device, by device; of the first devices only where a stop
/// is asked for meanwhile.
std::vector<Time> whatIf(std::shared_ptr<const sim::Problem> problem,
                         const sim::Assignment& assignment, const std::vector<OpId>& ops,
                         const std::stop_token& stop = {});

} // namespace doppler::views
