#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::sim {

/// A problem flattened for the event loop: everything that is the same in every run. An index of
/// any array is an id of the graph or cluster.
struct SimModel {
    explicit SimModel(const Problem& problem);

    int opCount = 0;
    int edgeCount = 0;
    int deviceCount = 0;
    std::vector<EdgeId> outBegin;
    std::vector<OpId> source; ///< by edge
    std::vector<OpId> target; ///< by edge
    std::vector<std::int32_t> inDegree;
    std::vector<OpId> entryOps; ///< ops without producers, ascending
    std::vector<std::int32_t> slots;

    /// Larger is more urgent; filled only where ready ops are chosen by critical path.
    std::vector<std::int64_t> urgency;
    /// Ops ordered by (level, id), and where each level begins; bulk-synchronous mode only.
    std::vector<OpId> opsByLevel;
    std::vector<std::int32_t> levelBegin;

    Time compute(OpId op, DeviceId device) const {
        return compute_[at(op) * deviceClasses_ + deviceClass_[at(device)]];
    }
    /// Only for from != to.
    Time transfer(EdgeId edge, OpId from, DeviceId fromDevice, DeviceId toDevice) const {
        const std::size_t row = at(perEdge_ ? edge : from);
        if (linkClasses_ == 1) {
            return transfer_[row];
        }
        return transfer_[row * linkClasses_ +
                         linkClass_[at(fromDevice) * at(deviceCount) + at(toDevice)]];
    }
    /// Only if oneTransferTimePerOp().
    Time transferOfOp(OpId op) const { return transfer_[at(op)]; }
    /// True if every remote edge of an op takes equally long, whatever the devices.
    bool oneTransferTimePerOp() const { return !perEdge_ && linkClasses_ == 1; }
    /// True if the edges of one op may take differently long over the same link.
    bool transferTimesPerEdge() const { return perEdge_; }

    static std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }

private:
    void copyGraph(const graph::Graph& graph);
    void copyCosts(const Problem& problem);
    void orderByLevel(const graph::Graph& graph);

    bool perEdge_ = false;
    std::size_t deviceClasses_ = 1;
    std::size_t linkClasses_ = 1;
    std::vector<std::uint32_t> deviceClass_;
    std::vector<std::uint32_t> linkClass_;
    std::vector<Time> compute_;
    std::vector<Time> transfer_;
};

} // namespace doppler::sim
