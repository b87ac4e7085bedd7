#include "tests/support/TenTasks.h"

#include "core/graph/GraphBuilder.h"

namespace doppler::tests {

namespace {

struct Message {
    OpId from;
    OpId to;
    Time time;
};

/// `compute` is task-major, three processors.
sim::Problem tenTasks(const std::vector<Message>& messages, const std::vector<Time>& compute) {
    constexpr int kProcessors = 3;
    graph::GraphBuilder builder("ten tasks");
    for (int task = 1; task <= 10; ++task) {
        builder.addOp({.name = "T" + std::to_string(task)});
    }
    for (const Message& message : messages) {
        builder.addEdge(message.from - 1, message.to - 1, -1, message.time);
    }
    sim::Problem problem;
    problem.graph = builder.build();
    std::vector<Time> transfer;
    for (EdgeId edge = 0; edge < problem.graph->edgeCount(); ++edge) {
        for (int pair = 0; pair < kProcessors * kProcessors; ++pair) {
            const bool same = pair % (kProcessors + 1) == 0;
            transfer.push_back(same ? 0 : problem.graph->edgeBytes(edge));
        }
    }
    problem.cluster = std::make_shared<cluster::Cluster>(cluster::uniformCluster(kProcessors));
    problem.costs = cost::CostTable::fromMatrices(*problem.graph, kProcessors, compute, transfer,
                                                  cost::TimeUnit::Units);
    return problem;
}

} // namespace

sim::Problem topcuogluTenTasks() {
    return tenTasks({{1, 2, 18},
                     {1, 3, 12},
                     {1, 4, 9},
                     {1, 5, 11},
                     {1, 6, 14},
                     {2, 8, 19},
                     {2, 9, 16},
                     {3, 7, 23},
                     {4, 8, 27},
                     {4, 9, 23},
                     {5, 9, 13},
                     {6, 8, 15},
                     {7, 10, 17},
                     {8, 10, 11},
                     {9, 10, 13}},
                    {14, 16, 9, 13, 19, 18, 11, 13, 19, 13, 8,  17, 12, 13, 10,
                     13, 16, 9, 7,  15, 11, 5,  11, 14, 18, 12, 20, 21, 7,  16});
}

sim::Problem arabnejadTenTasks() {
    return tenTasks({{1, 2, 17},
                     {1, 3, 31},
                     {1, 4, 29},
                     {1, 5, 13},
                     {1, 6, 7},
                     {2, 8, 3},
                     {2, 9, 30},
                     {3, 7, 16},
                     {4, 8, 11},
                     {4, 9, 7},
                     {5, 9, 57},
                     {6, 8, 5},
                     {7, 10, 9},
                     {8, 10, 42},
                     {9, 10, 7}},
                    {22, 21, 36, 22, 18, 18, 32, 27, 43, 7,  10, 4, 29, 27, 35,
                     26, 17, 24, 14, 25, 30, 29, 23, 36, 15, 21, 8, 13, 16, 33});
}

} // namespace doppler::tests
