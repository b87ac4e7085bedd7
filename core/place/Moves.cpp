#include "core/place/Moves.h"

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

Moves::Moves(const sim::Problem& problem, std::shared_ptr<const Clusterings> clusterings)
    : problem_(problem), graph_(*problem.graph), clusterings_(std::move(clusterings)) {
    if (problem.deviceCount() < 2) {
        return;
    }
    for (OpId op = 0; op < problem.opCount(); ++op) {
        if (problem.pin(op) == kNoDevice) {
            movable_.push_back(op);
        }
    }
}

void Moves::set(sim::Assignment& assignment, OpId op, DeviceId device) {
    DeviceId& place = assignment[at(op)];
    if (place != device && problem_.pin(op) == kNoDevice) {
        changed_.emplace_back(op, place);
        place = device;
    }
}

void Moves::undo(sim::Assignment& assignment) const {
    for (auto change = changed_.rbegin(); change != changed_.rend(); ++change) {
        assignment[at(change->first)] = change->second;
    }
}

OpId Moves::randomOp(Random& random) const {
    return movable_[random.below(movable_.size())];
}

OpId Moves::randomNeighbour(OpId op, Random& random) const {
    const int in = graph_.inDegree(op);
    const int all = in + graph_.outDegree(op);
    if (all == 0) {
        return kNoOp;
    }
    const auto pick = static_cast<int>(random.below(all));
    return pick < in ? graph_.source(graph_.inEdges(op)[static_cast<std::size_t>(pick)])
                     : graph_.target(graph_.firstOutEdge(op) + pick - in);
}

DeviceId Moves::otherDevice(DeviceId device, Random& random) const {
    const auto pick = static_cast<DeviceId>(random.below(problem_.deviceCount() - 1));
    return pick < device ? pick : pick + 1;
}

void Moves::moveOp(sim::Assignment& assignment, Random& random) {
    const OpId op = randomOp(random);
    set(assignment, op, otherDevice(assignment[at(op)], random));
}

void Moves::followNeighbour(sim::Assignment& assignment, Random& random) {
    const OpId op = randomOp(random);
    OpId neighbour = randomNeighbour(op, random);
    if (neighbour != kNoOp && random.below(2) == 0) {
        neighbour = randomNeighbour(neighbour, random); // a sibling, co-parent or grandparent
    }
    if (neighbour != kNoOp) {
        set(assignment, op, assignment[at(neighbour)]);
    }
}

void Moves::swapOps(sim::Assignment& assignment, Random& random) {
    const OpId a = randomOp(random);
    const OpId b = randomOp(random);
    const DeviceId device = assignment[at(a)];
    set(assignment, a, assignment[at(b)]);
    set(assignment, b, device);
}

void Moves::moveChain(sim::Assignment& assignment, Random& random) {
    OpId op = randomOp(random);
    const DeviceId from = assignment[at(op)];
    const DeviceId to = otherDevice(from, random);
    const std::uint32_t length = 2 + random.below(6);
    for (std::uint32_t i = 0; i < length && op != kNoOp; ++i) {
        if (assignment[at(op)] == from) {
            set(assignment, op, to);
        }
        const int out = graph_.outDegree(op);
        op = out == 0
                 ? kNoOp
                 : graph_.target(graph_.firstOutEdge(op) + static_cast<EdgeId>(random.below(out)));
    }
}

void Moves::moveWithParents(sim::Assignment& assignment, Random& random) {
    const OpId op = randomOp(random);
    const DeviceId to = static_cast<DeviceId>(random.below(problem_.deviceCount()));
    set(assignment, op, to);
    for (const EdgeId edge : graph_.inEdges(op)) {
        set(assignment, graph_.source(edge), to);
    }
}

void Moves::moveCluster(sim::Assignment& assignment, Random& random) {
    if (clusterings_->count() == 0) {
        return;
    }
    const auto to = static_cast<DeviceId>(random.below(problem_.deviceCount()));
    for (const OpId op : clusterings_->cluster(random.below(clusterings_->count()))) {
        set(assignment, op, to);
    }
}

/// All ops that look alike go where one of their neighbours is, each to its own: the same producer
/// or consumer of every one. Moves a whole row of blocks onto another row.
void Moves::classFollowsNeighbours(sim::Assignment& assignment, Random& random) {
    const OpId first = randomOp(random);
    const bool in = random.below(2) == 0;
    const int degree = in ? graph_.inDegree(first) : graph_.outDegree(first);
    if (degree == 0) {
        return;
    }
    const auto pick = static_cast<int>(random.below(degree));
    for (const OpId op : clusterings_->alike(first)) {
        if (in && pick < graph_.inDegree(op)) {
            const EdgeId edge = graph_.inEdges(op)[static_cast<std::size_t>(pick)];
            set(assignment, op, assignment[at(graph_.source(edge))]);
        } else if (!in && pick < graph_.outDegree(op)) {
            set(assignment, op, assignment[at(graph_.target(graph_.firstOutEdge(op) + pick))]);
        }
    }
}

void Moves::exchangeDevicesOfClass(sim::Assignment& assignment, Random& random) {
    const OpId first = randomOp(random);
    const DeviceId here = assignment[at(first)];
    const DeviceId there = otherDevice(here, random);
    for (const OpId op : clusterings_->alike(first)) {
        const DeviceId device = assignment[at(op)];
        if (device == here || device == there) {
            set(assignment, op, here + there - device);
        }
    }
}

bool Moves::propose(sim::Assignment& assignment, Random& random) {
    changed_.clear();
    const std::uint32_t draw = random.below(100);
    if (draw < 34) {
        moveCluster(assignment, random);
    } else if (draw < 49) {
        moveOp(assignment, random);
    } else if (draw < 63) {
        followNeighbour(assignment, random);
    } else if (draw < 73) {
        swapOps(assignment, random);
    } else if (draw < 77) {
        moveChain(assignment, random);
    } else if (draw < 79) {
        moveWithParents(assignment, random);
    } else if (draw < 97) {
        classFollowsNeighbours(assignment, random);
    } else {
        exchangeDevicesOfClass(assignment, random);
    }
    return !changed_.empty();
}

} // namespace doppler::place
