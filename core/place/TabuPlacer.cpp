#include <cmath>
#include <vector>

#include "core/place/PlacerEntry.h"
#include "core/place/Random.h"
#include "core/place/SearchRun.h"

namespace doppler::place {

namespace {

/// Moves looked at before the best of them is made.
constexpr int kCandidates = 24;
/// Glover's tenure is 7; it grows with what there is to move, and varies, so that cycles break.
constexpr std::int64_t kLeastTenure = 7;
/// Moves without a better placement, by movable op, before the search goes back to the best.
constexpr std::int64_t kPatiencePerOp = 10;
/// Random moves from there.
constexpr int kKick = 8;

class Tabu {
public:
    explicit Tabu(const PlaceRequest& request)
        : run_(request), graph_(*run_.problem().graph), random_(request.seed) {
        const sim::Problem& problem = run_.problem();
        for (OpId op = 0; problem.deviceCount() > 1 && op < problem.opCount(); ++op) {
            if (problem.pin(op) == kNoDevice) {
                movable_.push_back(op);
            }
        }
        forbiddenUntil_.assign(static_cast<std::size_t>(problem.opCount()) *
                                   static_cast<std::size_t>(problem.deviceCount()),
                               0);
        spread_ = static_cast<std::uint32_t>(
            kLeastTenure + std::lround(std::sqrt(static_cast<double>(movable_.size()))));
    }

    PlaceResult search() {
        current_ = run_.start();
        if (!movable_.empty()) {
            run_.improveByPolicy(random_.next());
            current_ = run_.best();
        }
        std::int64_t idle = 0;
        const std::int64_t patience = kPatiencePerOp * static_cast<std::int64_t>(movable_.size());
        while (!movable_.empty()) {
            const Time before = run_.bestValue();
            if (!step()) {
                break;
            }
            idle = run_.bestValue() < before ? 0 : idle + 1;
            if (idle > patience) {
                kick();
                idle = 0;
            }
        }
        return run_.result();
    }

private:
    struct Move {
        OpId op = kNoOp;
        DeviceId device = kNoDevice;
    };

    DeviceId& place(OpId op) { return current_[static_cast<std::size_t>(op)]; }

    std::int64_t& forbiddenUntil(OpId op, DeviceId device) {
        return forbiddenUntil_[static_cast<std::size_t>(op) *
                                   static_cast<std::size_t>(run_.problem().deviceCount()) +
                               static_cast<std::size_t>(device)];
    }

    /// An op to where a neighbour is, or anywhere.
    Move candidate() {
        const OpId op = movable_[random_.below(movable_.size())];
        const int in = graph_.inDegree(op);
        const int all = in + graph_.outDegree(op);
        if (all > 0 && random_.below(2) == 0) {
            const auto pick = static_cast<int>(random_.below(all));
            const OpId neighbour =
                pick < in ? graph_.source(graph_.inEdges(op)[static_cast<std::size_t>(pick)])
                          : graph_.target(graph_.firstOutEdge(op) + pick - in);
            if (place(neighbour) != place(op)) {
                return {op, place(neighbour)};
            }
        }
        const auto pick = static_cast<DeviceId>(random_.below(run_.problem().deviceCount() - 1));
        return {op, pick < place(op) ? pick : pick + 1};
    }

    /// Makes the best of some moves, better or worse; false if the budget is used up.
    bool step() {
        run_.evaluator().remember(current_);
        ++steps_;
        Move best;
        Time bestValue = std::numeric_limits<Time>::max();
        for (int i = 0; i < kCandidates; ++i) {
            if (!run_.take()) {
                return false;
            }
            const Move move = candidate();
            // A forbidden move is made only if nothing was ever better (Glover's aspiration).
            const bool forbidden = forbiddenUntil(move.op, move.device) > steps_;
            const Time limit = forbidden ? std::min(bestValue, run_.bestValue()) : bestValue;
            const DeviceId home = place(move.op);
            place(move.op) = move.device;
            const Time value = run_.valueWithin(current_, limit - 1);
            place(move.op) = home;
            if (value < limit) {
                best = move;
                bestValue = value;
            }
        }
        if (best.op != kNoOp) {
            make(best);
        }
        return true;
    }

    void make(Move move) {
        forbiddenUntil(move.op, place(move.op)) =
            steps_ + kLeastTenure + static_cast<std::int64_t>(random_.below(spread_));
        place(move.op) = move.device;
    }

    void kick() {
        current_ = run_.best();
        for (int i = 0; i < kKick; ++i) {
            make(candidate());
        }
    }

    SearchRun run_;
    const graph::Graph& graph_;
    Random random_;
    std::vector<OpId> movable_;
    std::vector<std::int64_t> forbiddenUntil_; // step, by op and device
    std::uint32_t spread_ = 1;
    std::int64_t steps_ = 0;
    sim::Assignment current_;
};

PlaceResult place(const PlaceRequest& request) {
    return Tabu(request).search();
}

} // namespace

PlacerEntry tabuPlacer() {
    return {{.name = "tabu",
             .description = "The best of some moves of single ops, better or worse, none back to "
                            "where an op has just been.",
             .source = "Glover 1989; for tasks on processors: Porto, Ribeiro 1995",
             .search = true,
             .random = true},
            place};
}

} // namespace doppler::place
