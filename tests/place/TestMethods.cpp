#include <QTest>

#include <algorithm>
#include <cmath>

#include "core/io/Formats.h"
#include "core/place/CriticalPath.h"
#include "core/place/Heft.h"
#include "core/place/Peft.h"
#include "core/place/Registry.h"
#include "core/sim/Noise.h"
#include "core/sim/Simulator.h"
#include "core/workload/Workload.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::place;
using namespace doppler::tests;

namespace {

PlaceResult placed(const char* name, const std::shared_ptr<const sim::Problem>& problem) {
    PlaceRequest request;
    request.problem = problem;
    request.maxEvaluations = 2000;
    return makePlacer(name)->place(request);
}

/// Costs of Topcuoglu's random graphs: each op has a mean, and on each device up to `range` less
/// or more of it, independently.
std::shared_ptr<const sim::Problem> unrelatedDevices(std::uint64_t seed, double range) {
    RandomProblemSpec spec;
    spec.shape = kGraphShapes[seed % std::size(kGraphShapes)];
    spec.ops = 60;
    spec.devices = 4;
    spec.options = sim::SimOptions::published();
    const auto like = randomProblem(spec, seed);
    std::vector<Time> compute;
    std::uint64_t dice = seed;
    for (OpId op = 0; op < like->opCount(); ++op) {
        for (int device = 0; device < spec.devices; ++device) {
            const double share = static_cast<double>(sim::splitMix(dice) >> 11) * 0x1p-53;
            const double factor = 1 - range + 2 * range * share;
            compute.push_back(static_cast<Time>(
                std::lround(static_cast<double>(like->costs->compute(op, 0)) * factor)));
        }
    }
    std::vector<Time> transfer;
    for (EdgeId edge = 0; edge < like->graph->edgeCount(); ++edge) {
        for (int pair = 0; pair < spec.devices * spec.devices; ++pair) {
            const bool same = pair % (spec.devices + 1) == 0;
            transfer.push_back(same ? 0 : like->graph->edgeFileTransfer(edge));
        }
    }
    auto problem = std::make_shared<sim::Problem>(*like);
    problem->costs = cost::CostTable::fromMatrices(*like->graph, spec.devices, compute, transfer,
                                                   cost::TimeUnit::Units);
    return problem;
}

bool fits(const std::shared_ptr<const sim::Problem>& problem, const PlaceResult& result) {
    const sim::Timeline timeline = sim::simulate(problem, result.assignment);
    for (DeviceId device = 0; device < problem->deviceCount(); ++device) {
        const std::int64_t capacity = problem->cluster->device(device).capacityBytes;
        if (capacity > 0 && timeline.peakMemory[static_cast<std::size_t>(device)] > capacity) {
            return false;
        }
    }
    return true;
}

} // namespace

class TestMethods : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void heftAndPeftBeatCriticalPathOnUnlikeDevices() {
        double heft = 0;
        double peft = 0;
        constexpr int kProblems = 48;
        for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
            const auto problem = unrelatedDevices(seed, 0.75);
            const auto makespan = [&](const char* name) {
                return static_cast<double>(placed(name, problem).makespan);
            };
            const double criticalPath = makespan("critical-path");
            heft += std::log(makespan("heft") / criticalPath) / kProblems;
            peft += std::log(makespan("peft") / criticalPath) / kProblems;
        }
        qInfo("geometric means over critical path: heft %.3f, peft %.3f", std::exp(heft),
              std::exp(peft));
        QVERIFY(std::exp(heft) < 1);
        QVERIFY(std::exp(peft) < 1);
    }

    void heftAndPeftBeatOneDrawOnNamedClusters_data() {
        QTest::addColumn<QString>("cluster");
        QTest::newRow("unlike devices") << QStringLiteral("mixed");
        QTest::newRow("unlike links") << QStringLiteral("v100-2x4");
    }

    // The placer takes the best of several simulated draws; the rule is one.
    void heftAndPeftBeatOneDrawOnNamedClusters() {
        QFETCH(QString, cluster);
        constexpr const char* kGraphs[] = {"chainmm",     "ffnn", "llama-block",
                                           "llama-layer", "moe",  "inception-v3",
                                           "rnnlm",       "nmt",  "random"};
        constexpr double kCount = std::size(kGraphs);
        constexpr int kDraws = 8;
        double heft = 0;
        double peft = 0;
        for (const char* graph : kGraphs) {
            const auto problem =
                sim::makeProblem(workload::generate(graph), io::openCluster(cluster.toStdString()),
                                 cost::CostModel::Physical, {});
            sim::Simulator simulator(problem);
            double draw = 0;
            for (std::uint64_t seed = 1; seed <= kDraws; ++seed) {
                const auto schedule = criticalPathSchedule(*problem, seed);
                draw += static_cast<double>(simulator.makespan(schedule.assignment())) / kDraws;
            }
            const auto over = [&](const ListSchedule& schedule) {
                return std::log(static_cast<double>(simulator.makespan(schedule.assignment())) /
                                draw);
            };
            heft += over(heftSchedule(*problem)) / kCount;
            peft += over(peftSchedule(*problem)) / kCount;
        }
        qInfo("geometric means over one draw of critical path: heft %.3f, peft %.3f",
              std::exp(heft), std::exp(peft));
        QVERIFY(std::exp(heft) < 0.97);
        QVERIFY(std::exp(peft) < 1);
    }

    void baechiFitsTightMemoryWhereOthersDoNot() {
        int fitting[4] = {};
        constexpr const char* kNames[] = {"m-etf", "m-sct", "critical-path", "round-robin"};
        constexpr int kProblems = 40;
        for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
            RandomProblemSpec spec;
            spec.shape = kGraphShapes[seed % std::size(kGraphShapes)];
            spec.ops = 40;
            spec.inputs = 30;
            spec.capacity = 1.1;
            const auto problem = randomProblem(spec, seed);
            for (int i = 0; i < 4; ++i) {
                const PlaceResult result = placed(kNames[i], problem);
                const bool inMemory = fits(problem, result);
                fitting[i] += inMemory ? 1 : 0;
                const bool noted = std::any_of(result.notes.begin(), result.notes.end(),
                                               [](const std::string& note) {
                                                   return note.find("does not fit the memory") == 0;
                                               });
                QCOMPARE(noted, !inMemory);
            }
        }
        qInfo("fit of %d: m-etf %d, m-sct %d, critical-path %d, round-robin %d", kProblems,
              fitting[0], fitting[1], fitting[2], fitting[3]);
        QVERIFY(fitting[0] > fitting[2] && fitting[0] > fitting[3]);
        QVERIFY(fitting[1] > fitting[2] && fitting[1] > fitting[3]);
        QVERIFY(fitting[0] > kProblems * 3 / 4);
    }

    void searchesFitWhereARuleDoes() {
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            RandomProblemSpec spec;
            spec.shape = kGraphShapes[seed % std::size(kGraphShapes)];
            spec.ops = 40;
            spec.inputs = 30;
            spec.capacity = 1.1;
            const auto problem = randomProblem(spec, seed);
            if (fits(problem, placed("m-etf", problem))) {
                QVERIFY(fits(problem, placed("anneal", problem)));
                QVERIFY(fits(problem, placed("mcmc", problem)));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestMethods)
#include "TestMethods.moc"
