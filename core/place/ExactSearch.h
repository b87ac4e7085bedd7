#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::place {

/// Branch and bound over the assignments of a small problem: ops get their devices in topological
/// order. The order of ops on a device is the simulator's, so only whole assignments have a value;
/// a partial one has a lower bound of the values of all its completions:
/// - heads: from parents with their transfers, and all ancestors on the same device one after the
///   other;
/// - tails: for each (op, device) the least that must follow, later devices chosen at will;
/// - the one-machine bound of each device's ops with those heads and tails;
/// - one step ahead: children whose parents are all placed, on their best device.
/// All of these only leave out what delays further (contention, order, barriers, processors).
/// Devices that can be swapped without any change are opened in order.
class ExactSearch {
public:
    static constexpr int kMostOps = 64;

    /// What the search asks of its surroundings.
    struct Hooks {
        /// The value of a whole assignment, exact if at most `limit`, else any number above it.
        /// None ends the search.
        std::function<std::optional<Time>(const sim::Assignment&, Time limit)> value;
        /// Asked at every partial assignment; false ends the search.
        std::function<bool()> goOn;
    };

    /// `useBounds`: false where values may be below the bounds (random durations): everything is
    /// enumerated. At most kMostOps ops.
    ExactSearch(const sim::Problem& problem, bool useBounds, Hooks hooks);

    /// Searches for values below `best`. Returns a proven lower bound of all values, not above the
    /// best one; equal to it if the search came to its end. `atLeast` is a bound known already.
    Time run(Time best, Time atLeast);

private:
    struct Choice {
        Time bound;
        DeviceId device;
        Time head;
    };

    void orderOps();
    void findTails();
    void findTwins();

    Time search(std::size_t depth, Time bound);
    std::vector<Choice> choices(OpId op, Time bound);
    Time head(OpId op, DeviceId device) const;
    Time boundWith(OpId op, DeviceId device, Time head) const;
    Time machineBound(DeviceId device, OpId op, Time head) const;
    Time aheadBound(OpId child) const;
    bool opensOutOfOrder(DeviceId device) const;
    Time tail(OpId op, DeviceId device) const;
    bool allowed(OpId op, DeviceId device) const;

    const sim::Problem& problem_;
    const graph::Graph& graph_;
    bool useBounds_;
    Hooks hooks_;
    std::vector<OpId> order_;
    std::vector<std::uint64_t> ancestors_; // by op, a bit an op
    std::vector<Time> tails_;              // op-major
    std::vector<DeviceId> twinBefore_; // by device: the one it can be swapped with, or kNoDevice

    Time best_ = 0;
    bool stopped_ = false;
    sim::Assignment assignment_;
    std::vector<Time> heads_;               // by op
    std::vector<std::uint64_t> opsOn_;      // by device, a bit an op
    std::vector<std::vector<OpId>> listOn_; // by device
};

} // namespace doppler::place
