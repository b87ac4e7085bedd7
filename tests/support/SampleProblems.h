#pragma once

#include <memory>

#include "core/cluster/Cluster.h"
#include "core/sim/Problem.h"
#include "core/workload/Workload.h"

namespace doppler::tests {

/// The matrix chain on N like devices with published costs.
inline std::shared_ptr<const sim::Problem> chainProblem(int devices = 4) {
    auto cluster = std::make_shared<const cluster::Cluster>(cluster::uniformCluster(devices));
    return sim::makeProblem(workload::generate("chainmm"), cluster, cost::CostModel::Published,
                            sim::SimOptions::published());
}

inline sim::Assignment roundRobin(const sim::Problem& problem) {
    sim::Assignment assignment;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        assignment.push_back(op % problem.deviceCount());
    }
    return assignment;
}

} // namespace doppler::tests
