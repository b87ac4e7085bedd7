#include "app/cli/bench/SimBench.h"

#include <algorithm>
#include <random>
#include <string>

#include "app/cli/bench/Measure.h"
#include "core/sim/MoveScan.h"
#include "core/workload/Workload.h"

namespace doppler::cli {

namespace {

/// A problem and random assignments to simulate in turn, as a search does: a single one, repeated,
/// would be learnt by the processor's branch predictor.
struct Case {
    std::shared_ptr<const sim::Problem> problem;
    std::vector<sim::Assignment> assignments;

    double opsAndEdges() const { return problem->graph->opCount() + problem->graph->edgeCount(); }
};

/// A workload on like devices under a preset.
Case makeCase(const std::string& workload, int devices, const sim::SimOptions& options) {
    constexpr int kMostAssignments = 100;
    constexpr int kMostOps = 2'000'000; // over all assignments
    const auto graph = workload::generate(workload);
    Case result;
    result.problem = sim::makeProblem(
        graph, std::make_shared<const cluster::Cluster>(cluster::uniformCluster(devices)),
        cost::defaultCostModel(*graph), options);
    std::mt19937 random(1);
    const int count = std::clamp(kMostOps / std::max(1, graph->opCount()), 1, kMostAssignments);
    for (int i = 0; i < count; ++i) {
        sim::Assignment& assignment = result.assignments.emplace_back();
        for (OpId op = 0; op < graph->opCount(); ++op) {
            assignment.push_back(static_cast<DeviceId>(random() % static_cast<unsigned>(devices)));
        }
    }
    return result;
}

double nsPerOpAndEdge(const Case& bench) {
    sim::Simulator simulator(bench.problem);
    Time sum = 0;
    const double seconds = medianSeconds([&] {
        for (const sim::Assignment& assignment : bench.assignments) {
            sum += simulator.makespan(assignment);
        }
    });
    const double simulations = static_cast<double>(bench.assignments.size());
    return sum < 0 ? 0 : seconds * 1e9 / (bench.opsAndEdges() * simulations);
}

void addPublishedGraphs(std::vector<BenchRow>& rows) {
    for (const char* workload : {"chainmm", "ffnn", "llama-block", "llama-layer"}) {
        for (const bool published : {true, false}) {
            const Case bench =
                makeCase(workload, 4, published ? sim::SimOptions::published() : sim::SimOptions{});
            rows.push_back({std::string("simulate ") + workload +
                                (published ? ", published preset" : ", default preset"),
                            nsPerOpAndEdge(bench), "ns per (op + edge)", 45, true,
                            "4 devices, random assignments"});
        }
    }
}

void addGrowth(std::vector<BenchRow>& rows) {
    const auto cost = [](int ops) {
        return nsPerOpAndEdge(makeCase("random:shape=layered,ops=" + std::to_string(ops), 4,
                                       sim::SimOptions::published()));
    };
    const double small = cost(1'000);
    const double large = cost(1'000'000);
    rows.push_back({"simulate random layered, 1,000 ops", small, "ns per (op + edge)", 45, true,
                    "4 devices, random assignments"});
    rows.push_back({"growth from 1,000 to 1,000,000 ops", large / small, "times", 4, true,
                    "ratio of the costs per (op + edge)"});
}

void addMoves(std::vector<BenchRow>& rows) {
    const Case bench = makeCase("llama-layer", 4, sim::SimOptions{});
    sim::Simulator simulator(bench.problem);
    const double seconds =
        medianSeconds([&] { sim::MoveScan::run(simulator, bench.assignments.front()); });
    rows.push_back({"all single-op moves of llama-layer, 4 devices", seconds * 1e3, "ms", 30, true,
                    std::to_string(bench.problem->opCount()) + " ops, default preset"});
}

} // namespace

std::vector<BenchRow> benchSimulator() {
    std::vector<BenchRow> rows;
    addPublishedGraphs(rows);
    addGrowth(rows);
    addMoves(rows);
    return rows;
}

} // namespace doppler::cli
