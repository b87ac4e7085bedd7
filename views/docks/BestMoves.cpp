#include "views/docks/BestMoves.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/sim/Simulator.h"

namespace doppler::views {

namespace {

// Smaller gains are not worth a row: less than a hundred thousandth of the makespan.
constexpr Time kSmallestGainShare = 100'000;

/// Folds moves alike in gain and direction, largest gain first.
std::vector<BestMove> folded(const std::vector<BestMove>& singles, std::size_t limit) {
    std::map<std::tuple<Time, DeviceId, DeviceId>, std::vector<OpId>> alike;
    for (const BestMove& move : singles) {
        alike[{-move.gain, move.from, move.to}].push_back(move.ops.front());
    }
    std::vector<BestMove> moves;
    for (const auto& [key, ops] : alike) {
        if (moves.size() == limit) {
            break;
        }
        moves.push_back({ops, std::get<1>(key), std::get<2>(key), -std::get<0>(key)});
    }
    return moves;
}

} // namespace

BestMoves findBestMoves(std::shared_ptr<const sim::Problem> problem,
                        const sim::Assignment& assignment, std::size_t limit,
                        std::stop_token stop) {
    sim::Simulator simulator(problem);
    const Time now = simulator.makespan(assignment);
    sim::Assignment changed = assignment;
    BestMoves result;
    result.gainOf.assign(assignment.size(), 0);
    std::vector<BestMove> singles;
    for (std::size_t op = 0; op < assignment.size() && !stop.stop_requested(); ++op) {
        if (problem->pin(static_cast<OpId>(op)) != kNoDevice) {
            continue;
        }
        for (DeviceId device = 0; device < problem->deviceCount(); ++device) {
            if (device == assignment[op]) {
                continue;
            }
            changed[op] = device;
            const Time gain = now - simulator.makespan(changed);
            ++result.tried;
            if (gain > now / kSmallestGainShare) {
                singles.push_back({{static_cast<OpId>(op)}, assignment[op], device, gain});
                result.gainOf[op] = std::max(result.gainOf[op], gain);
            }
        }
        changed[op] = assignment[op];
    }
    result.moves = folded(singles, limit);
    return result;
}

std::vector<Time> whatIf(std::shared_ptr<const sim::Problem> problem,
                         const sim::Assignment& assignment, const std::vector<OpId>& ops,
                         const std::stop_token& stop) {
    sim::Simulator simulator(problem);
    std::vector<Time> makespans;
    for (DeviceId device = 0; device < problem->deviceCount() && !stop.stop_requested(); ++device) {
        sim::Assignment changed = assignment;
        for (const OpId op : ops) {
            changed[static_cast<std::size_t>(op)] = device;
        }
        makespans.push_back(simulator.makespan(changed));
    }
    return makespans;
}

} // namespace doppler::views
