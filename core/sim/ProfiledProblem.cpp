#include "core/sim/ProfiledProblem.h"

#include "core/cost/ProfiledCosts.h"

namespace doppler::sim {

std::shared_ptr<const Problem> makeProfiledProblem(std::shared_ptr<const graph::Graph> graph,
                                                   std::shared_ptr<const cluster::Cluster> cluster,
                                                   const cluster::Profile& profile,
                                                   const SimOptions& options) {
    auto problem = std::make_shared<Problem>(
        *makeProblem(std::move(graph), std::move(cluster), cost::CostModel::Physical, options));
    problem->costs = cost::profiledCosts(*problem->graph, *problem->cluster, profile);
    return problem;
}

} // namespace doppler::sim
