#include "app/cli/bench/PlacerBench.h"

#include <cmath>

#include "app/cli/bench/Measure.h"
#include "core/place/CriticalPath.h"
#include "core/place/Registry.h"
#include "core/place/policy/GeneralTraining.h"
#include "core/place/policy/GeneratedProblems.h"
#include "core/place/policy/PolicyPortfolio.h"
#include "core/place/policy/PolicyRollout.h"
#include "core/place/policy/PolicyStarts.h"
#include "core/sim/Simulator.h"
#include "core/workload/Workload.h"

namespace doppler::cli {

namespace {

struct Published {
    const char* workload;
    int devices;
    double asked; ///< makespan / 10^10
};

constexpr Published kPublished[] = {
    {"chainmm", 4, 1200.1},
    {"ffnn", 4, 56.70},
    {"llama-block:devices=4", 4, 167},
    {"llama-layer:devices=4", 4, 123},
    {"llama-block:devices=8", 8, 174},
    {"llama-layer:devices=8", 8, 174},
};
constexpr double kUnit = 1e10;
constexpr double kAskedSeconds = 0.3;
constexpr double kAskedRatio = 0.83;
constexpr int kUnseen = 100;

std::shared_ptr<const sim::Problem> problemOf(const Published& graph) {
    return sim::makeProblem(
        workload::generate(graph.workload),
        std::make_shared<const cluster::Cluster>(cluster::uniformCluster(graph.devices)),
        cost::CostModel::Published, sim::SimOptions::published());
}

place::PlaceResult instant(const std::shared_ptr<const sim::Problem>& problem) {
    place::PlaceRequest request;
    request.problem = problem;
    return place::makePlacer("instant")->place(request);
}

/// Mean log of makespan over critical path of three ways to place.
struct Ratios {
    double greedy = 0, rollouts = 0, instant = 0;

    void add(const std::shared_ptr<const sim::Problem>& problem, double share) {
        const auto add = [&, criticalPath = static_cast<double>(sim::Simulator(problem).makespan(
                                 place::bestCriticalPath(problem, 1)))](double& sum,
                                                                        Time makespan) {
            sum += share * std::log(static_cast<double>(makespan) / criticalPath);
        };
        const auto limited = [&](std::int64_t count) {
            place::SearchLimit limit = place::SearchLimit::forEvaluations(count, {});
            return place::policyStarts(problem, {}, 1, 1, limit).front().value;
        };
        add(greedy, limited(1));
        add(rollouts, limited(place::kPolicyRollouts));
        add(instant, cli::instant(problem).makespan);
    }
};

void addUnseen(std::vector<BenchRow>& rows, const std::string& name,
               std::shared_ptr<const sim::Problem> (*generate)(std::uint64_t)) {
    Ratios ratios;
    for (int i = 0; i < kUnseen; ++i) {
        ratios.add(generate(place::kHeldOutSeeds + static_cast<std::uint64_t>(i)), 1.0 / kUnseen);
    }
    const std::string note =
        "geometric mean over " + std::to_string(kUnseen) + " problems, of critical path";
    rows.push_back({.name = name + ", instant",
                    .value = std::exp(ratios.instant),
                    .unit = "ratio",
                    .target = kAskedRatio,
                    .note = note});
    rows.push_back({.name = name + ", best of 64 rollouts",
                    .value = std::exp(ratios.rollouts),
                    .unit = "ratio",
                    .note = note});
    rows.push_back({.name = name + ", one greedy rollout",
                    .value = std::exp(ratios.greedy),
                    .unit = "ratio",
                    .note = note});
}

} // namespace

std::vector<BenchRow> benchInstant() {
    std::vector<BenchRow> rows;
    double slowest = 0;
    for (const Published& graph : kPublished) {
        const auto problem = problemOf(graph);
        const place::PlaceResult result = instant(problem);
        slowest = std::max(slowest, result.seconds);
        place::SearchLimit limit = place::SearchLimit::forEvaluations(place::kPolicyRollouts, {});
        const Time rollouts = place::policyStarts(problem, {}, 1, 1, limit).front().value;
        rows.push_back({.name = std::string("instant, ") + graph.workload,
                        .value = static_cast<double>(result.makespan) / kUnit,
                        .unit = "10^10 units",
                        .target = graph.asked,
                        .note = "best of 64 rollouts alone: " +
                                std::to_string(static_cast<double>(rollouts) / kUnit)});
    }
    rows.push_back({.name = "instant, slowest of the published graphs",
                    .value = slowest,
                    .unit = "s",
                    .target = kAskedSeconds});
    const auto layer = std::make_shared<const place::PolicyProblem>(problemOf(kPublished[3]));
    place::PolicyRollout rollout(layer);
    const place::LinearPolicy policy = place::shippedPolicies().members.empty()
                                           ? place::handRule()
                                           : place::shippedPolicies().members.front();
    rows.push_back({.name = "one rollout of a general policy, llama-layer",
                    .value = medianSeconds([&] { rollout.run(policy); }) * 1e3,
                    .unit = "ms",
                    .note = "229 ops, 4 devices, one thread"});
    addUnseen(rows, "unseen problems", place::generatedProblem);
    addUnseen(rows, "unseen problems on like devices, published preset",
              place::generatedPlainProblem);
    return rows;
}

} // namespace doppler::cli
