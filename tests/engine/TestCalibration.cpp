#include <cmath>
#include <set>

#include <QTest>

#include "core/cost/ProfiledCosts.h"
#include "core/engine/Calibration.h"
#include "core/engine/CopyProgram.h"
#include "core/engine/Fidelity.h"
#include "core/engine/LinkFit.h"
#include "core/engine/MachineLoad.h"
#include "core/engine/Runtimes.h"
#include "core/engine/Statistics.h"
#include "core/engine/emulated/EmulatedRuntime.h"
#include "core/io/Formats.h"
#include "core/sim/Simulator.h"

using namespace doppler;

namespace {

/// Worse than assumed, but always the same.
engine::Testbed noiseless() {
    engine::Testbed testbed;
    testbed.description = "no noise";
    testbed.efficiency.fill(0.5);
    testbed.efficiency[static_cast<std::size_t>(graph::OpKind::Contraction)] = 0.8;
    testbed.launchShare = 0.02;
    testbed.linkEfficiency = 0.75;
    testbed.contention = sim::LinkContention::PerPort;
    return testbed;
}

engine::CalibrationRequest calibrationOf(const engine::Testbed& testbed, const char* cluster) {
    engine::CalibrationRequest request;
    request.cluster = io::openCluster(cluster);
    request.programs = {engine::executableProgram("chainmm:size=tiny")};
    request.rounds = 8;
    request.make = [testbed](const auto&) {
        return std::make_unique<engine::EmulatedRuntime>(testbed, 5);
    };
    return request;
}

std::shared_ptr<sim::Problem> physicalProblem(const engine::CalibrationRequest& request) {
    sim::SimOptions options;
    options.contention = sim::LinkContention::PerPort;
    return std::make_shared<sim::Problem>(*sim::makeProblem(
        request.programs.front()->graph, request.cluster, cost::CostModel::Physical, options));
}

bool within(Time value, double expected, double share) {
    return std::fabs(static_cast<double>(value) - expected) <= share * expected + 1;
}

/// Simulated with the profile against the testbed.
engine::Fidelity fidelityOf(const engine::CalibrationRequest& request,
                            const engine::Testbed& testbed, int assignments) {
    const engine::Calibration calibration = engine::calibrate(request);
    const auto executed = physicalProblem(request);
    auto simulated = std::make_shared<sim::Problem>(*executed);
    simulated->costs =
        cost::profiledCosts(*executed->graph, *executed->cluster, calibration.profile);
    engine::EmulatedRuntime runtime(testbed, 77);
    engine::FidelityRequest fidelity;
    fidelity.problem = simulated;
    fidelity.executed = executed;
    fidelity.runtime = &runtime;
    fidelity.assignments = engine::assignmentsOfAllQualities(simulated, assignments, 3, 500);
    fidelity.repeats = 5;
    fidelity.warmUps = 1;
    return engine::measureFidelity(fidelity);
}

} // namespace

class TestCalibration : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNoiselessTestbedGivesItsCostsAway() {
        const engine::Testbed testbed = noiseless();
        const engine::CalibrationRequest request = calibrationOf(testbed, "uniform:3");
        const engine::Calibration calibration = engine::calibrate(request);
        QCOMPARE(calibration.outcome, engine::Outcome::Done);
        QVERIFY(calibration.spiky.empty());
        QVERIFY(calibration.profile.emulated);
        QCOMPARE(calibration.profile.runtime, std::string("emulated"));
        QVERIFY(calibration.profile.deviceFactors.empty());
        QCOMPARE(calibration.profile.links.size(), std::size_t{1});
        const auto problem = physicalProblem(request);
        const graph::Graph& graph = *problem->graph;
        const auto coverage = cost::profileCoverage(graph, *request.cluster, calibration.profile);
        QVERIFY(coverage.complete());
        const auto costs = cost::profiledCosts(graph, *request.cluster, calibration.profile);
        QCOMPARE(costs->model(), cost::CostModel::Profiled);
        double work = 0;
        for (OpId op = 0; op < graph.opCount(); ++op) {
            work += problem->costs->meanCompute(op);
        }
        for (OpId op = 0; op < graph.opCount(); ++op) {
            const double efficiency = testbed.efficiency[static_cast<std::size_t>(graph.kind(op))];
            const double truth = static_cast<double>(problem->costs->compute(op, 0)) / efficiency +
                                 testbed.launchShare * work / graph.opCount();
            QVERIFY(within(costs->compute(op, 2), truth, 0.001));
        }
        for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
            const OpId source = graph.source(edge);
            const double truth =
                static_cast<double>(problem->costs->transfer(edge, source, 0, 1)) / 0.75;
            QVERIFY(within(costs->transfer(edge, source, 1, 2), truth, 0.001));
        }
    }

    void aNoiselessTestbedIsPredicted() {
        const engine::Testbed testbed = noiseless();
        const engine::Fidelity found = fidelityOf(calibrationOf(testbed, "uniform:3"), testbed, 12);
        QCOMPARE(found.outcome, engine::Outcome::Done);
        QVERIFY(found.usable());
        QCOMPARE(found.accepted, 60);
        QCOMPARE(found.rejected, 0);
        QVERIFY2(found.medianError < 0.01, qPrintable(QString::number(found.medianError)));
        QVERIFY2(found.rankCorrelation > 0.98, qPrintable(QString::number(found.rankCorrelation)));
        QCOMPARE(found.splitHalf, 1.0);
    }

    void anUnevenTestbedIsPredicted() {
        const engine::Testbed& testbed = engine::findTestbed("p100x4-testbed");
        engine::CalibrationRequest request = calibrationOf(testbed, "p100x4");
        request.rounds = 16;
        QCOMPARE(engine::calibrate(request).profile.deviceFactors.size(), std::size_t{4});
        const engine::Fidelity found = fidelityOf(request, testbed, 20);
        QVERIFY2(found.medianError < 0.05, qPrintable(QString::number(found.medianError)));
        QVERIFY2(found.rankCorrelation > 0.9, qPrintable(QString::number(found.rankCorrelation)));
    }

    void assignmentsAreOfAllQualities() {
        const auto program = engine::executableProgram("chainmm:size=tiny");
        const auto problem = sim::makeProblem(program->graph, io::openCluster("cpu:2"),
                                              cost::CostModel::Physical, {});
        const auto assignments = engine::assignmentsOfAllQualities(problem, 20, 3, 500);
        QCOMPARE(assignments.size(), std::size_t{20});
        QCOMPARE(engine::assignmentsOfAllQualities(problem, 20, 3, 500), assignments);
        sim::Simulator simulator(problem);
        std::vector<double> makespans;
        for (const sim::Assignment& assignment : assignments) {
            sim::checkAssignment(*problem, assignment);
            makespans.push_back(static_cast<double>(simulator.makespan(assignment)));
        }
        // From one that uses both devices to one that uses one, without a large gap.
        QVERIFY(makespans.back() > 1.6 * makespans.front());
        const double step = (makespans.back() - makespans.front()) / 19;
        for (std::size_t i = 1; i < makespans.size(); ++i) {
            QVERIFY(makespans[i] > makespans[i - 1] - step / 2);
            QVERIFY(makespans[i] < makespans[i - 1] + 2 * step);
        }
    }

    void pinnedOpsStayInAssignmentsOfAllQualities() {
        const auto program = engine::executableProgram("chainmm:size=tiny");
        auto problem = std::make_shared<sim::Problem>(*sim::makeProblem(
            program->graph, io::openCluster("cpu:3"), cost::CostModel::Physical, {}));
        problem->pins.assign(static_cast<std::size_t>(problem->opCount()), kNoDevice);
        problem->pins[5] = 2;
        for (const auto& assignment : engine::assignmentsOfAllQualities(problem, 9, 3, 200)) {
            QCOMPARE(assignment[5], DeviceId(2));
        }
        // Fewer assignments than are asked for: some stand twice.
        problem->pins.assign(static_cast<std::size_t>(problem->opCount()), 1);
        QCOMPARE(engine::assignmentsOfAllQualities(problem, 4, 3, 10).size(), std::size_t{4});
    }

    void calibratingTwiceIsTheSame() {
        const engine::CalibrationRequest request =
            calibrationOf(engine::findTestbed("testbed"), "uniform:2");
        const engine::Calibration first = engine::calibrate(request);
        const engine::Calibration second = engine::calibrate(request);
        QVERIFY(first.profile.kernels == second.profile.kernels);
        QVERIFY(first.profile.links == second.profile.links);
    }

    void aStopEndsIt() {
        engine::CalibrationRequest request = calibrationOf(noiseless(), "uniform:2");
        std::stop_source stop;
        request.stop = stop.get_token();
        request.progress = [&](double share, const std::string&) {
            if (share > 0.4) {
                stop.request_stop();
            }
        };
        const engine::Calibration calibration = engine::calibrate(request);
        QCOMPARE(calibration.outcome, engine::Outcome::Cancelled);
        // What was measured until then is kept.
        QCOMPARE(calibration.rounds, 3);
        QVERIFY(cost::profileCoverage(*request.programs.front()->graph, *request.cluster,
                                      calibration.profile)
                    .complete());
        QCOMPARE(calibration.profile.runs, calibration.runs);
        QVERIFY(calibration.runs >= 2 * 2 * 3);
    }

    void aStopInTheFirstRoundLeavesNoProfile() {
        engine::CalibrationRequest request = calibrationOf(noiseless(), "uniform:2");
        std::stop_source stop;
        stop.request_stop();
        request.stop = stop.get_token();
        const engine::Calibration calibration = engine::calibrate(request);
        QCOMPARE(calibration.outcome, engine::Outcome::Cancelled);
        QCOMPARE(calibration.rounds, 0);
        QVERIFY(calibration.profile.kernels.empty());
    }

    void aStoppedComparisonKeepsItsRuns() {
        const engine::CalibrationRequest calibrated = calibrationOf(noiseless(), "uniform:3");
        const auto problem = physicalProblem(calibrated);
        engine::EmulatedRuntime runtime(noiseless(), 77);
        std::stop_source stop;
        engine::FidelityRequest request;
        request.problem = request.executed = problem;
        request.runtime = &runtime;
        request.assignments = engine::assignmentsOfAllQualities(problem, 6, 3, 200);
        request.repeats = 9;
        request.warmUps = 1;
        request.stop = stop.get_token();
        request.progress = [&](double share, const std::string&) {
            if (share > 0.25) { // after a warm-up and a round of ten
                stop.request_stop();
            }
        };
        const engine::Fidelity found = engine::measureFidelity(request);
        QCOMPARE(found.outcome, engine::Outcome::Cancelled);
        QCOMPARE(found.measured, 6);
        QVERIFY(found.accepted >= 6 && found.accepted < 12);
        QVERIFY(found.usable());
        QVERIFY(found.worstError > 0);
    }

    void theCpuRuntimeIsMeasured() {
        engine::CalibrationRequest request;
        request.cluster = io::openCluster("cpu:2");
        request.programs = {engine::executableProgram("chainmm:size=tiny")};
        request.rounds = 2;
        const engine::Calibration calibration = engine::calibrate(request);
        QCOMPARE(calibration.outcome, engine::Outcome::Done);
        QVERIFY(!calibration.profile.emulated);
        QVERIFY(!calibration.profile.kernels.empty());
        QCOMPARE(calibration.profile.links.size(), std::size_t{1});
        QVERIFY(calibration.profile.links.front().bytesPerSecond > 0);
        QVERIFY(cost::profileCoverage(*request.programs.front()->graph, *request.cluster,
                                      calibration.profile)
                    .complete());
    }

    void copyProgramsHaveEverySize() {
        const auto program = engine::copyProgram(1 << 20);
        std::set<std::int64_t> sizes;
        for (EdgeId edge = 0; edge < program->graph->edgeCount(); ++edge) {
            sizes.insert(program->graph->edgeBytes(edge));
        }
        QCOMPARE(sizes, (std::set<std::int64_t>{1024, 4096, 16384, 65536, 262144, 1048576}));
    }

    void linksAreFitted() {
        std::vector<engine::CopyTimes> sizes;
        for (std::int64_t bytes = 1000; bytes <= 100'000'000; bytes *= 10) {
            const double truth = 5000 + static_cast<double>(bytes) / 4.0;        // 4 GB/s
            sizes.push_back({.bytes = bytes, .ns = {truth, truth, 50 * truth}}); // an outlier
        }
        const engine::LinkFit fit = engine::fitLink(sizes);
        QVERIFY(within(fit.latencyNs, 5000, 0.001));
        QVERIFY(std::fabs(fit.bytesPerSecond / 4e9 - 1) < 0.001);
        QCOMPARE(fit.samples, 18);
        const engine::LinkFit one = engine::fitLink({{.bytes = 4000, .ns = {1000}}});
        QCOMPARE(one.latencyNs, Time{0});
        QVERIFY(std::fabs(one.bytesPerSecond / 4e9 - 1) < 1e-6);
        // Times that shrink with size still give something usable.
        const engine::LinkFit odd =
            engine::fitLink({{.bytes = 1000, .ns = {2000}}, {.bytes = 2000, .ns = {1000}}});
        QVERIFY(odd.latencyNs >= 0 && odd.bytesPerSecond > 0);
    }

    void statistics() {
        QCOMPARE(engine::median({3, 1, 2}), 2.0);
        QCOMPARE(engine::median({4, 1, 2, 3}), 2.5);
        QCOMPARE(engine::relativeSpread({8, 10, 12}, 10), 0.2);
        QVERIFY(engine::twoPopulations({1, 1, 1, 200, 210, 1.1}));
        QVERIFY(!engine::twoPopulations({1, 1, 1, 1, 1, 1, 1, 1, 1, 5000})); // one outlier
        QVERIFY(!engine::twoPopulations({1, 20, 60}));
        QCOMPARE(engine::rankCorrelation({1, 2, 3, 4}, {10, 20, 25, 1000}), 1.0);
        QCOMPARE(engine::rankCorrelation({1, 2, 3, 4}, {4, 3, 2, 1}), -1.0);
        // With ties: ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4.
        QVERIFY(std::fabs(engine::rankCorrelation({1, 2, 2, 3}, {1, 2, 3, 4}) - 0.9486833) < 1e-6);
        QVERIFY(std::isnan(engine::rankCorrelation({1, 1}, {1, 2})));
        QVERIFY(std::isnan(engine::rankCorrelation({1}, {1})));
        QCOMPARE(engine::splitHalfCorrelation({{1, 2, 1}, {5, 4}, {9, 9}, {3}}), 1.0);
    }

    void loadIsReadFromTheKernel() {
        QCOMPARE(engine::runDelayOf("123 4567 8\n"), Time{4567});
        QCOMPARE(engine::runDelayOf(""), Time{0});
        QCOMPARE(engine::runnersOf("0.50 0.40 0.30 12/345 678\n"), 12);
        QCOMPARE(engine::runnersOf("nothing"), 0);
        QVERIFY(engine::isRunner("12 (a) b) R 1 2"));
        QVERIFY(!engine::isRunner("12 (R) S 1 2"));
        QVERIFY(!engine::isRunner("12 (R"));
    }

    void disturbedRunsAreTold() {
        const engine::MachineLoad calm{.runDelay = 1000, .others = 0};
        QVERIFY(engine::wasQuiet(calm, {.runDelay = 1040, .others = 0}, 1000, 0, false));
        QVERIFY(!engine::wasQuiet(calm, {.runDelay = 1060, .others = 0}, 1000, 0, false));
        QVERIFY(engine::wasQuiet(calm, {.runDelay = 1060, .others = 0}, 1000, 20, false));
        QVERIFY(engine::wasQuiet(calm, {.runDelay = 9000, .others = 0}, 1000, 0, true));
        QVERIFY(!engine::wasQuiet(calm, {.runDelay = 1000, .others = 1}, 1000, 0, true));

        const auto leastOf = [](std::vector<int> looks) {
            return engine::leastOthers([&looks, next = std::size_t(0)]() mutable {
                return looks[std::min(next++, looks.size() - 1)];
            });
        };
        QCOMPARE(leastOf({2, 0}), 0); // ours, on its way to sleep
        QCOMPARE(leastOf({2, 1, 3, 1}), 1);
        QCOMPARE(leastOf({1, 1, 1, 1}), 1);
    }
};

QTEST_GUILESS_MAIN(TestCalibration)
#include "TestCalibration.moc"
