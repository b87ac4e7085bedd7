#pragma once

/// core/place/policy: linear dual policies over look-ahead and co-location features: what they see,
/// how they place a graph, how they are trained on generated graphs, and the placers made of them.
/// Uses all of core/place.

#include <array>
#include <cstddef>
#include <string_view>

namespace doppler::place {

/// What SEL sees of an op; all fixed before the rollout. Levels are shares of the longest path,
/// places shares of the graph, costs on a log scale around the graph's mean.
inline constexpr std::array<std::string_view, 14> kOpFeatures = {
    "b-level",
    "t-level",
    "b-level without transfers",
    "t-level without transfers",
    "compute",
    "outgoing transfer",
    "incoming transfer",
    "consumers",
    "producers",
    "depth-first place",
    "number",
    "hops from the start",
    "hops to the end",
    "depth-first place of the cluster",
};

/// What PLC's weights depend on: its weight of a device feature is a sum over these of the op.
inline constexpr std::array<std::string_view, 7> kOpContexts = {
    "constant",     "compute",   "outgoing transfer over compute",     "b-level",
    "no producers", "producers", "transfer over compute of the graph",
};

/// What PLC sees of a device while it places an op. Times are in even shares of the whole work,
/// relative to the least over the allowed devices; "log" ones on a logarithmic scale.
enum DeviceFeature : std::size_t {
    kLoad,
    kLoadLog,
    kStart,
    kStartLog,
    kFinish,
    kComputeHere,     ///< compute time here over the least
    kParents,         ///< share of the op's inputs that are there, by transfer
    kCoParents,       ///< share of the other inputs of its consumers
    kTwoHopCoParents, ///< the same of its consumers' consumers
    kChildren,        ///< mean earliest start of its consumers, wherever they start first
    kChildrenLog,
    kChildrenHere, ///< mean earliest start of its consumers if they run here too
    kChildrenHereLog,
    kSiblings,  ///< share of its producers' other consumers
    kSameClass, ///< ops of its structural class, in even shares
    kSameKind,  ///< ops of its kind, in even shares
    kCluster0,  ///< share of its cluster that is there, largest clusters first
    kCluster1,
    kCluster2,
    kCluster3,
    kCluster4,
    kReserved, ///< load, and the rest of the clusters that began there
    kReservedLog,
    kDepthFirstNeighbours, ///< share of the ops before and after it in depth-first order
    kGap,                  ///< idle time before the op
    kOverrun,              ///< how far the path through the op ends beyond the least length
    kDeviceFeatureCount
};

inline constexpr std::array<std::string_view, kDeviceFeatureCount> kDeviceFeatures = {
    "load",
    "load, log",
    "earliest start",
    "earliest start, log",
    "earliest finish",
    "compute here",
    "parents",
    "co-parents",
    "two-hop co-parents",
    "start of children",
    "start of children, log",
    "start of children here",
    "start of children here, log",
    "siblings",
    "same class",
    "same kind",
    "cluster of 1/2",
    "cluster of 1/4",
    "cluster of 1/8",
    "cluster of 1/16",
    "cluster of 1/32",
    "reserved load",
    "reserved load, log",
    "depth-first neighbours",
    "gap",
    "overrun",
};

inline constexpr std::size_t kOpFeatureCount = kOpFeatures.size();
inline constexpr std::size_t kContextCount = kOpContexts.size();
inline constexpr std::size_t kClusterings = 5;

} // namespace doppler::place
