#include "app/cli/bench/EngineBench.h"

#include <algorithm>

#include "core/engine/Executor.h"
#include "core/engine/Measurement.h"
#include "core/engine/Runtimes.h"
#include "core/engine/cpu/CpuRuntime.h"
#include "core/graph/GraphBuilder.h"
#include "core/place/Registry.h"

namespace doppler::cli {

namespace {

constexpr int kOps = 10'000;
constexpr int kAlternatingOps = 1'000; // each waits for a sleeping thread, on a busy machine long
constexpr int kRepeats = 9;

std::shared_ptr<const sim::Problem> problemOn(std::shared_ptr<const graph::Graph> graph,
                                              int devices) {
    return sim::makeProblem(std::move(graph),
                            std::make_shared<const cluster::Cluster>(cluster::cpuCluster(devices)),
                            cost::CostModel::Physical, {});
}

/// Ops of no work: one after the other, or all at once.
std::shared_ptr<const graph::Graph> emptyOps(bool chain, int ops) {
    constexpr std::int64_t kBytes = 64;
    graph::GraphBuilder builder(chain ? "chain" : "wide");
    for (OpId op = 0; op < ops; ++op) {
        builder.addOp({.outputBytes = kBytes});
        if (chain && op > 0) {
            builder.addEdge(op - 1, op);
        }
    }
    return builder.build();
}

double medianSecondsOf(engine::Executor& executor, const sim::Assignment& assignment) {
    engine::MeasurementRequest request;
    request.assignment = assignment;
    request.repeats = kRepeats;
    std::vector<Time> makespans = engine::measure(executor, request).makespans;
    std::nth_element(makespans.begin(), makespans.begin() + kRepeats / 2, makespans.end());
    return static_cast<double>(makespans[kRepeats / 2]) * 1e-9;
}

/// Microseconds an op; op k runs on device k modulo the number of devices.
double overhead(bool chain, int devices, int ops = kOps) {
    const auto problem = problemOn(emptyOps(chain, ops), devices);
    engine::CpuRuntime runtime(*problem->cluster, std::make_shared<engine::NoKernels>());
    engine::Executor executor(problem, runtime);
    sim::Assignment assignment;
    for (OpId op = 0; op < ops; ++op) {
        assignment.push_back(op % devices);
    }
    return medianSecondsOf(executor, assignment) * 1e6 / ops;
}

/// Seconds of a matrix chain, placed by critical path.
double chainSeconds(int devices) {
    const auto program = engine::executableProgram("chainmm:n=1024");
    const auto problem = problemOn(program->graph, devices);
    const auto runtime =
        engine::makeRuntime("cpu", {.cluster = problem->cluster, .program = program});
    engine::Executor executor(problem, *runtime);
    place::PlaceRequest request;
    request.problem = problem;
    return medianSecondsOf(executor, place::makePlacer("critical-path")->place(request).assignment);
}

} // namespace

std::vector<BenchRow> benchEngine() {
    const std::string note = "cpu runtime, 10,000 ops of no work";
    std::vector<BenchRow> rows;
    rows.push_back(
        {"executor, chain on one device", overhead(true, 1), "us per op", 3, true, note});
    for (const int devices : {1, 2, 4, 8}) {
        rows.push_back({"executor, wide graph on " + std::to_string(devices) +
                            (devices == 1 ? " device" : " devices"),
                        overhead(false, devices), "us per op", devices > 4 ? 10.0 : 3.0, true,
                        note});
    }
    rows.push_back({"executor, chain that alternates between two devices",
                    overhead(true, 2, kAlternatingOps), "us per op", 0, true,
                    "1,000 ops of no work, each with a transfer"});
    const double one = chainSeconds(1);
    const double two = chainSeconds(2);
    rows.push_back({"two devices over one, chainmm:n=1024", one / two, "times", 1.8, false,
                    "cpu runtime; needs two quiet processors"});
    return rows;
}

} // namespace doppler::cli
