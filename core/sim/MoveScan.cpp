#include "core/sim/MoveScan.h"

#include <algorithm>
#include <tuple>

namespace doppler::sim {

std::optional<MoveScan> MoveScan::run(Simulator& simulator, const Assignment& assignment,
                                      std::stop_token stop) {
    const Problem& problem = simulator.problem();
    MoveScan scan;
    scan.devices_ = problem.deviceCount();
    scan.base_ = simulator.remember(assignment);
    scan.makespans_.reserve(assignment.size() * static_cast<std::size_t>(scan.devices_));
    Assignment moved = assignment;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        DeviceId& device = moved[static_cast<std::size_t>(op)];
        const DeviceId home = device;
        const bool stays = problem.pin(op) != kNoDevice;
        for (DeviceId to = 0; to < scan.devices_; ++to) {
            if (stop.stop_requested()) {
                return {};
            }
            device = to;
            scan.makespans_.push_back(to == home || stays ? scan.base_ : simulator.makespan(moved));
        }
        device = home;
    }
    return scan;
}

std::vector<MoveScan::Move> MoveScan::bestMoves(std::size_t most) const {
    std::vector<Move> moves;
    const auto ops = static_cast<OpId>(makespans_.size() / static_cast<std::size_t>(devices_));
    for (OpId op = 0; op < ops; ++op) {
        Move best{op, kNoDevice, base_};
        for (DeviceId device = 0; device < devices_; ++device) {
            if (makespan(op, device) < best.makespan) {
                best.device = device;
                best.makespan = makespan(op, device);
            }
        }
        if (best.device != kNoDevice) {
            moves.push_back(best);
        }
    }
    std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
        return std::tie(a.makespan, a.op) < std::tie(b.makespan, b.op);
    });
    moves.resize(std::min(moves.size(), most));
    return moves;
}

} // namespace doppler::sim
