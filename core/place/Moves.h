#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/place/Clusterings.h"
#include "core/sim/Problem.h"

namespace doppler::place {

/// Random changes of an assignment, as local searches try them. Pinned ops never move.
class Moves {
public:
    Moves(const sim::Problem& problem, std::shared_ptr<const Clusterings> clusterings);

    /// True if there is nothing to change: one device, or every op pinned.
    bool none() const { return movable_.empty(); }

    /// Changes `assignment` at random. Returns false if the draw came to nothing.
    bool propose(sim::Assignment& assignment, Random& random);
    /// Takes the last proposed change back.
    void undo(sim::Assignment& assignment) const;

private:
    void set(sim::Assignment& assignment, OpId op, DeviceId device);
    OpId randomOp(Random& random) const;
    OpId randomNeighbour(OpId op, Random& random) const;
    DeviceId otherDevice(DeviceId device, Random& random) const;

    void moveOp(sim::Assignment& assignment, Random& random);
    void followNeighbour(sim::Assignment& assignment, Random& random);
    void swapOps(sim::Assignment& assignment, Random& random);
    void moveChain(sim::Assignment& assignment, Random& random);
    void moveWithParents(sim::Assignment& assignment, Random& random);

    void moveCluster(sim::Assignment& assignment, Random& random);
    void classFollowsNeighbours(sim::Assignment& assignment, Random& random);
    void exchangeDevicesOfClass(sim::Assignment& assignment, Random& random);

    const sim::Problem& problem_;
    const graph::Graph& graph_;
    std::shared_ptr<const Clusterings> clusterings_;
    std::vector<OpId> movable_;
    std::vector<std::pair<OpId, DeviceId>> changed_; // with the device before
};

} // namespace doppler::place
