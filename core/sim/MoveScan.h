#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "core/sim/Simulator.h"

namespace doppler::sim {

/// The makespan after each move of a single op to another device: what "what if" and "best moves"
/// show.
class MoveScan {
public:
    /// Simulates all moves from `assignment` (valid, see checkAssignment); pinned ops are not
    /// moved. Empty if stopped. About half a simulation a move: what comes before the first event
    /// that a move can affect is simulated once.
    static std::optional<MoveScan> run(Simulator& simulator, const Assignment& assignment,
                                       std::stop_token stop = {});

    /// The makespan of the assignment itself.
    Time base() const { return base_; }
    /// The makespan with `op` on `device`; base() where it is already, or may not leave.
    Time makespan(OpId op, DeviceId device) const {
        return makespans_[static_cast<std::size_t>(op) * static_cast<std::size_t>(devices_) +
                          static_cast<std::size_t>(device)];
    }

    struct Move {
        OpId op = kNoOp;
        DeviceId device = kNoDevice;
        Time makespan = 0;
    };
    /// The moves that shorten the makespan, best first, ties by op and device; at most `most`, one
    /// an op.
    std::vector<Move> bestMoves(std::size_t most) const;

private:
    int devices_ = 0;
    Time base_ = 0;
    std::vector<Time> makespans_; // op-major
};

} // namespace doppler::sim
