#pragma once

#include <memory>
#include <vector>

#include "core/learn/GraphFeatures.h"
#include "core/sim/Problem.h"

namespace doppler::learn {

/// A problem laid out for rollouts: plain arrays, times in units of the work per device. Immutable;
/// shared by all threads.
struct RolloutProblem {
    /// `features`: what the networks see of it.
    RolloutProblem(std::shared_ptr<const sim::Problem> source, const GraphFeatures& features);

    std::shared_ptr<const sim::Problem> problem;
    int ops = 0;
    int devices = 0;
    /// Renaming devices changes nothing: devices are opened in order, so of the empty ones only the
    /// first is ever a choice.
    bool alikeDevices = false;
    /// All devices need the same time for an op.
    bool likeSpeeds = false;

    std::vector<double> compute; ///< ops x devices
    std::vector<int> inDegree;
    std::vector<int> parentBegin; ///< ops + 1, into parent and transfer
    std::vector<OpId> parent;
    std::vector<double> transfer; ///< entries x linkClasses
    int linkClasses = 1;
    std::vector<int> linkClass; ///< devices x devices; -1 on the diagonal
    std::vector<int> childBegin;
    std::vector<OpId> child;
    std::vector<DeviceId> pin;
    std::vector<int> slots; ///< by device
    std::vector<double> bLevel;
    std::vector<int> alike; ///< classes of ops that are alike; empty: all differ
};

} // namespace doppler::learn
