#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/place/policy/PolicyFeatures.h"
#include "core/sim/Problem.h"

namespace doppler::place {

/// A problem as rollouts of policies read it: flat arrays, times in units of an even share of the
/// whole work, and everything about the ops that does not change within a rollout. Never changes
/// once made; shared by threads.
///
/// Rows of per-device values are `stride` long; entries beyond the devices are 0.
struct PolicyProblem {
    /// Stopped, it is left incomplete: nothing can be rolled out then.
    explicit PolicyProblem(std::shared_ptr<const sim::Problem> source,
                           const std::stop_token& stop = {});

    bool complete = false;

    std::shared_ptr<const sim::Problem> problem;
    int ops = 0;
    int devices = 0;
    std::size_t stride = 0; ///< 4, 8, or a multiple of 8
    /// Devices are interchangeable and nothing is pinned: a rollout opens them in order.
    bool interchangeable = false;
    bool likeLinks = false;
    /// Some device could be too small.
    bool memoryMatters = false;

    std::vector<float> compute;      ///< [op][device]
    std::vector<float> meanCompute;  ///< [op]
    std::vector<float> transfer;     ///< [edge], mean over links
    std::vector<float> linkTransfer; ///< [edge][link class], only if not likeLinks
    std::vector<float> inTransfer;   ///< [op], sum over its inputs
    float leastLength = 1;           ///< no placement is shorter (area, path without transfers)

    std::vector<float> opFeatures; ///< [op][kOpFeatureCount]
    std::vector<float> contexts;   ///< [op][kContextCount]
    std::vector<float> tail;       ///< [op], longest path from its end without transfers

    std::vector<std::int32_t> classOf; ///< [op]
    std::vector<float> perClass;       ///< devices / ops of the class, [class]
    std::vector<std::int32_t> kindOf;
    std::vector<float> perKind;
    std::vector<std::int32_t> clusterOf; ///< [op][kClusterings], numbered through
    std::vector<float> clusterWork;      ///< [cluster]

    std::vector<std::int32_t> childBegin; ///< [op + 1]: into `children`, a sample where many
    std::vector<EdgeId> children;         ///< edges to them
    std::vector<std::int32_t> grandBegin;
    std::vector<OpId> grandchildren;
    std::vector<OpId> depthFirst;      ///< ops in depth-first order, producers first
    std::vector<std::int32_t> placeOf; ///< the inverse

    std::vector<int> slots; ///< [device]
};

} // namespace doppler::place
