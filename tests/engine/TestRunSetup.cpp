#include <QTest>

#include "core/engine/BlasLibrary.h"
#include "core/engine/Processors.h"
#include "core/engine/ProfileCheck.h"
#include "core/engine/RunSetup.h"
#include "core/engine/SystemInfo.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"

using namespace doppler;

namespace {

engine::RunSetupRequest requestOf(const char* graph, const std::string& cluster,
                                  cost::CostModel costs, const char* runtime) {
    engine::RunSetupRequest request;
    request.problem = sim::makeProblem(engine::executableProgram(graph)->graph,
                                       io::openCluster(cluster), costs, {});
    request.graph = graph;
    request.runtime = runtime;
    return request;
}

cluster::Profile profileOfHere() {
    cluster::Profile profile;
    profile.runtime = "cpu";
    profile.processor = engine::processorName();
    profile.blas = engine::blasCoreType();
    profile.blasThreads = 1;
    return profile;
}

} // namespace

/// What a run is prepared with, for all that run something.
class TestRunSetup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void realRunsTakeTime() {
        const engine::RunSetup setup = engine::setUpRun(
            requestOf("chainmm:size=tiny", "uniform:2", cost::CostModel::Published, "cpu"));
        QVERIFY(setup.program != nullptr);
        QCOMPARE(setup.executed->costs->unit(), cost::TimeUnit::Nanoseconds);
        QCOMPARE(setup.simulated->costs->unit(), cost::TimeUnit::Units);
    }

    void pinsAndOptionsStay() {
        engine::RunSetupRequest request =
            requestOf("chainmm:size=tiny", "cpu:2", cost::CostModel::Physical, "cpu");
        auto problem = std::make_shared<sim::Problem>(*request.problem);
        problem->pins.assign(static_cast<std::size_t>(problem->opCount()), 1);
        problem->options.choice = sim::ReadyChoice::CriticalPath;
        request.problem = problem;
        const engine::RunSetup setup = engine::setUpRun(request);
        for (const auto& each : {setup.simulated, setup.executed}) {
            QCOMPARE(each->pin(3), DeviceId(1));
            QCOMPARE(each->options.choice, sim::ReadyChoice::CriticalPath);
        }
    }

    void theSimulatorGetsWhatTheRuntimeHas() {
        engine::RunSetupRequest request =
            requestOf("chainmm:size=tiny", "p100x4", cost::CostModel::Physical, "emulated");
        const engine::RunSetup setup = engine::setUpRun(request);
        QVERIFY(setup.program == nullptr);
        QCOMPARE(setup.simulated->options.contention, setup.runtime->info().contention);
        QVERIFY(setup.simulated->options.contention != request.problem->options.contention);
        QCOMPARE(setup.sharedProcessors, 0);
        request.keepContention = true;
        QCOMPARE(engine::setUpRun(request).simulated->options.contention,
                 request.problem->options.contention);
    }

    void devicesShareProcessorsWhereThereAreFewer() {
        const auto processors = static_cast<int>(engine::usableProcessors().size());
        const std::string cluster = "cpu:" + std::to_string(processors + 1);
        engine::RunSetupRequest request =
            requestOf("chainmm:size=tiny", cluster, cost::CostModel::Physical, "cpu");
        const engine::RunSetup setup = engine::setUpRun(request);
        QCOMPARE(setup.sharedProcessors, processors);
        QCOMPARE(setup.simulated->options.cores, processors);
        QCOMPARE(setup.notes.size(), std::size_t{2}); // oversubscribed; simulated so
        request.keepCores = true;
        QCOMPARE(engine::setUpRun(request).simulated->options.cores, 0);
    }

    void timesOfHereFit() { engine::checkProfileFits(profileOfHere(), "cpu", "here.json"); }

    void otherTimesAreRefused_data() {
        QTest::addColumn<QString>("what");
        for (const char* what :
             {"runtime", "processor", "threads", "blas", "no processor", "no threads", "no blas"}) {
            QTest::newRow(what) << QString::fromLatin1(what);
        }
    }

    void otherTimesAreRefused() {
        QFETCH(QString, what);
        cluster::Profile profile = profileOfHere();
        if (what == "runtime") {
            profile.runtime = "cuda";
        } else if (what == "processor") {
            profile.processor = "abacus";
        } else if (what == "threads") {
            profile.blasThreads = 7;
        } else if (what == "blas") {
            profile.blas = "Slide rule";
        } else if (what == "no processor") {
            profile.processor.clear();
        } else if (what == "no threads") {
            profile.blasThreads = 0;
        } else {
            profile.blas.clear();
        }
        if ((what.endsWith("processor") && engine::processorName().empty()) ||
            (what.endsWith("blas") && engine::blasCoreType().empty())) {
            QSKIP("this system does not tell");
        }
        QVERIFY_EXCEPTION_THROWN(engine::checkProfileFits(profile, "cpu", "there.json"),
                                 InputError);
        engine::RunSetupRequest request =
            requestOf("chainmm:size=tiny", "cpu:2", cost::CostModel::Physical, "cpu");
        request.profile = std::make_shared<const cluster::Profile>(profile);
        request.profileSource = "there.json";
        QVERIFY_EXCEPTION_THROWN(engine::setUpRun(request), InputError);
    }

    void measuredTimesDoNotChangeATestbed() {
        engine::RunSetupRequest request =
            requestOf("chainmm:size=tiny", "p100x4", cost::CostModel::Physical, "emulated");
        auto profiled = std::make_shared<sim::Problem>(*request.problem);
        const auto& graph = *profiled->graph;
        const auto devices = static_cast<std::size_t>(profiled->deviceCount());
        profiled->costs = cost::CostTable::fromMatrices(
            graph, profiled->deviceCount(),
            std::vector<Time>(static_cast<std::size_t>(graph.opCount()) * devices, 7),
            std::vector<Time>(static_cast<std::size_t>(graph.edgeCount()) * devices * devices, 7),
            cost::TimeUnit::Nanoseconds);
        request.problem = profiled;
        const engine::RunSetup setup = engine::setUpRun(request);
        QCOMPARE(setup.simulated->costs->compute(0, 0), Time{7});
        QCOMPARE(setup.executed->costs->model(), cost::CostModel::Physical);
    }
};

QTEST_GUILESS_MAIN(TestRunSetup)
#include "TestRunSetup.moc"
