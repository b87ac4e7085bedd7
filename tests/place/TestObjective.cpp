#include <QTest>

#include <algorithm>
#include <cmath>

#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/place/ExactSearch.h"
#include "core/place/MemoryLedger.h"
#include "core/place/Random.h"
#include "core/place/Registry.h"
#include "core/place/SearchEvaluator.h"
#include "core/place/SearchLimit.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::place;
using namespace doppler::tests;

namespace {

/// The 95th percentile over many runs with other luck than any search has seen.
Time percentile(const std::shared_ptr<const sim::Problem>& problem,
                const sim::Assignment& assignment) {
    constexpr std::uint64_t kRuns = 1000;
    sim::Simulator simulator(problem);
    std::vector<Time> times;
    for (std::uint64_t run = 0; run < kRuns; ++run) {
        simulator.setSeed(0xABC0'0000 + run);
        times.push_back(simulator.makespan(assignment));
    }
    std::sort(times.begin(), times.end());
    return times[kRuns * 95 / 100 - 1];
}

/// Two ops in a row, each of 10 and with an output of 100 bytes; moving it takes 7.
std::shared_ptr<const sim::Problem> twoOps(std::int64_t capacity) {
    graph::GraphBuilder builder;
    builder.setFileCostUnit(graph::FileCostUnit::Units);
    builder.addOp({.outputBytes = 100, .fileCompute = 10, .fileTransfer = 7});
    builder.addOp({.outputBytes = 100, .fileCompute = 10, .fileTransfer = 7});
    builder.addEdge(0, 1);
    const cluster::Cluster plain = cluster::uniformCluster(2);
    std::vector<cluster::Device> devices = plain.devices();
    for (cluster::Device& device : devices) {
        device.capacityBytes = capacity;
    }
    std::vector<cluster::Link> links(4, plain.link(0, 1));
    return sim::makeProblem(builder.build(),
                            std::make_shared<cluster::Cluster>("two", std::move(devices), links),
                            cost::CostModel::Published, {});
}

} // namespace

class TestObjective : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreReadBack_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"makespan", "mean:16", "p95:32", "makespan,memory=penalty", "p95:8,memory=ignore",
              "makespan,traffic=0.25", "mean:4,memory=penalty,traffic=2"}) {
            QTest::newRow(text) << text;
        }
    }

    void namesAreReadBack() {
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(name(parseObjective(text.toStdString()))), text);
    }

    void otherTextsAreRefused_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "speed", "mean", "mean:", "mean:0", "p95:-1", "p95:x", "p95:99999999",
              "makespan,", "makespan,memory", "makespan,memory=soft", "makespan,traffic=-1",
              "makespan,traffic=nan", "makespan,colour=red", "memory=hard"}) {
            QTest::newRow(text) << text;
        }
    }

    void otherTextsAreRefused() {
        QFETCH(QString, text);
        QVERIFY_EXCEPTION_THROWN(parseObjective(text.toStdString()), InputError);
    }

    void refusedNumbersAreToldTheirRange() {
        const auto message = [](const char* text) {
            try {
                parseObjective(text, "here");
            } catch (const InputError& error) {
                return QString::fromUtf8(error.what());
            }
            return QString();
        };
        QCOMPARE(message("mean:0"), QStringLiteral("here: found \"0\" in \"mean:0\", expected a "
                                                   "number of noisy runs from 1 to 10000"));
        QVERIFY(message("p95:20000").contains(QStringLiteral("from 1 to 10000")));
        QVERIFY(message("makespan,traffic=-1").contains(QStringLiteral("from 0 to 1000000")));
        QVERIFY(message("speed").contains(QStringLiteral("MEASURE")));
    }

    void noiseIsThatOfTheProblemOrTheUsual() {
        sim::Problem noisy = *twoOps(0);
        noisy.options.durationVariation = 0.4;
        QCOMPARE(noiseOf(Objective(), noisy), 0.0);
        QCOMPARE(noiseOf(parseObjective("mean:8"), noisy), 0.4);
        QCOMPARE(noiseOf(parseObjective("mean:8"), *twoOps(0)), kDefaultVariation);
        QCOMPARE(nameWithNoise(parseObjective("p95:8"), noisy), std::string("p95:8, noise 0.4"));
        QCOMPARE(nameWithNoise(Objective(), noisy), std::string("makespan"));
        // The values that searches see are taken with it.
        const auto shared = std::make_shared<const sim::Problem>(noisy);
        noisy.options.durationVariation = kDefaultVariation;
        const auto usual = std::make_shared<const sim::Problem>(noisy);
        const Objective percentile = parseObjective("p95:64");
        const Time plain = Evaluator(twoOps(0), percentile).value({0, 0});
        QCOMPARE(Evaluator(usual, percentile).value({0, 0}), plain);
        QVERIFY(Evaluator(shared, percentile).value({0, 0}) > plain);
    }

    void oneNoisyRunIsNoUsualJudge() {
        QVERIFY(usualObjective(*twoOps(0)) == Objective());
        sim::Problem noisy = *twoOps(0);
        noisy.options.durationVariation = 0.4;
        QCOMPARE(name(usualObjective(noisy)), std::string("mean:16"));
    }

    void trafficCountsWhatMoves() {
        const auto problem = twoOps(0);
        Evaluator evaluator(problem, parseObjective("makespan,traffic=2"));
        QCOMPARE(evaluator.value({0, 0}), 20);
        QCOMPARE(evaluator.value({0, 1}), 27 + 2 * 7);
        QVERIFY(evaluator.valueWithin({0, 1}, 30) > 30);
    }

    void memoryCountsAsAsked() {
        // Together the ops need 200 bytes, apart 200 on the receiver: nothing fits 150.
        const auto problem = twoOps(150);
        const Time penalty =
            Evaluator(problem, parseObjective("makespan,memory=penalty")).value({0, 0});
        QCOMPARE(penalty, 20 + 20 * 50 / 150);
        QCOMPARE(Evaluator(problem, parseObjective("makespan,memory=ignore")).value({0, 0}), 20);
        // Behind every placement that fits, none of which can take longer than all in a row.
        QVERIFY(Evaluator(problem, Objective()).value({0, 0}) > 20 + 14);
    }

    void whatSurelyFitsDoesFit() {
        int sure = 0;
        int unsure = 0;
        int full = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            RandomProblemSpec spec;
            spec.ops = 20;
            spec.capacity = 0.5 + 0.06 * static_cast<double>(seed);
            const auto problem = randomProblem(spec, seed);
            Evaluator evaluator(problem, Objective());
            Random random(seed);
            for (int draw = 0; draw < 10; ++draw) {
                sim::Assignment assignment;
                for (OpId op = 0; op < problem->opCount(); ++op) {
                    assignment.push_back(
                        static_cast<DeviceId>(random.below(problem->deviceCount())));
                }
                const sim::Timeline timeline = sim::Simulator(problem).run(assignment);
                bool fits = true;
                for (DeviceId device = 0; device < problem->deviceCount(); ++device) {
                    const std::int64_t capacity = problem->cluster->device(device).capacityBytes;
                    fits =
                        fits && (capacity == 0 ||
                                 timeline.peakMemory[static_cast<std::size_t>(device)] <= capacity);
                }
                const bool surely = surelyFits(*problem, assignment);
                QVERIFY(fits || !surely);
                sure += surely ? 1 : 0;
                unsure += fits && !surely ? 1 : 0;
                full += fits ? 0 : 1;
                // The value tells the makespan, or says that it does not.
                const Time value = evaluator.value(assignment);
                QCOMPARE(value == timeline.makespan, fits);
                QCOMPARE(evaluator.makespan(assignment, value), timeline.makespan);
            }
        }
        QVERIFY(sure > 20 && unsure > 0 && full > 20);
    }

    void stoppedEvaluationsEndEarly() {
        std::stop_source stop;
        Evaluator evaluator(twoOps(0), parseObjective("mean:8"));
        const Time value = evaluator.value({0, 1});
        evaluator.stopOn(stop.get_token());
        QCOMPARE(evaluator.valueWithin({0, 1}, value), value);
        stop.request_stop();
        QVERIFY(evaluator.valueWithin({0, 1}, value) > value);
        QVERIFY(evaluator.gaveUp());
        // Where a value is needed it is that of the runs that were made.
        const Time needed = evaluator.value({0, 1});
        QVERIFY(evaluator.gaveUp());
        QCOMPARE(evaluator.runsMade(), 1);
        QCOMPARE(needed, Evaluator(twoOps(0), parseObjective("mean:1")).value({0, 1}));
    }

    void stoppedEvaluationsWithTrafficHaveAValue() {
        std::stop_source stop;
        stop.request_stop();
        Evaluator evaluator(twoOps(0), parseObjective("p95:100,traffic=1"));
        evaluator.stopOn(stop.get_token());
        QCOMPARE(evaluator.value({0, 1}),
                 Evaluator(twoOps(0), parseObjective("p95:1,traffic=1")).value({0, 1}));
        QCOMPARE(evaluator.valueWithin({0, 1}, 1000), 1001);
    }

    void evaluationsEndAtTheirMoment() {
        Evaluator evaluator(twoOps(0), parseObjective("p95:8"));
        const Time value = evaluator.value({0, 1});
        QVERIFY(!evaluator.gaveUp());
        QCOMPARE(evaluator.runsMade(), 8);
        evaluator.endBy(SearchLimit::Clock::now());
        QCOMPARE(evaluator.valueWithin({0, 1}, value), value + 1);
        QVERIFY(evaluator.gaveUp());
        evaluator.endBy({});
        QCOMPARE(evaluator.valueWithin({0, 1}, value), value);
        QVERIFY(!evaluator.gaveUp());
    }

    void partsOfASearchMayEndWithTheWhole() {
        SearchLimit part = SearchLimit::forEither(1, 5, {});
        QVERIFY(part.deadline() > SearchLimit::Clock::now() - std::chrono::hours(1));
        const SearchLimit whole = SearchLimit::forSeconds(1e300, {});
        part.lastAsLongAs(whole);
        QVERIFY(part.deadline() == whole.deadline());
        QVERIFY(!SearchLimit::forEvaluations(5, {}).deadline());
    }

    void aStopEndsTheFirstEvaluation_data() {
        QTest::addColumn<QString>("placer");
        for (const PlacerInfo& info : placers()) {
            QTest::newRow(info.name.c_str()) << QString::fromStdString(info.name);
        }
    }

    /// A million runs are not waited for, and the result says how many there were.
    void aStopEndsTheFirstEvaluation() {
        QFETCH(QString, placer);
        const auto problem = randomProblem({}, 5);
        std::stop_source stop;
        stop.request_stop();
        PlaceRequest request;
        request.problem = problem;
        request.budgetSeconds = 1000;
        request.objective = parseObjective("mean:10");
        request.objective.runs = 1'000'000;
        request.stop = stop.get_token();
        for (const bool startIsGiven : {false, true}) {
            if (startIsGiven) {
                request.start.emplace(static_cast<std::size_t>(problem->opCount()), 0);
            }
            const PlaceResult result = makePlacer(placer.toStdString())->place(request);
            QCOMPARE(result.valueRuns, 1);
            QCOMPARE(result.value,
                     Evaluator(problem, parseObjective("mean:1")).value(result.assignment));
            QVERIFY(result.notes.back().find("over 1 of 1000000 noisy runs") != std::string::npos);
        }
    }

    void aShortBudgetLeavesTheFirstEvaluationWhole_data() { aStopEndsTheFirstEvaluation_data(); }

    void aShortBudgetLeavesTheFirstEvaluationWhole() {
        QFETCH(QString, placer);
        PlaceRequest request;
        request.problem = randomProblem({}, 5);
        request.budgetSeconds = 0;
        request.objective = parseObjective("p95:200");
        const PlaceResult result = makePlacer(placer.toStdString())->place(request);
        QCOMPARE(result.valueRuns, 0);
        QCOMPARE(result.value,
                 Evaluator(request.problem, request.objective).value(result.assignment));
        QVERIFY(result.evaluations <= 2);
    }

    void aSearchThatGaveUpALeafProvesNothing() {
        const auto problem = twoOps(0);
        int asked = 0;
        ExactSearch search(*problem, true,
                           {.value = [&](const sim::Assignment&, Time) -> std::optional<Time> {
                                ++asked;
                                return std::nullopt;
                            },
                            .goOn = [] { return true; }});
        QVERIFY(search.run(1000, 0) < 1000);
        QCOMPARE(asked, 1);
    }

    void valueIsPartOfTheResult() {
        RandomProblemSpec spec;
        spec.capacity = 0.7;
        const auto problem = randomProblem(spec, 5);
        for (const PlacerInfo& info : placers()) {
            for (const char* text : {"makespan", "mean:3,traffic=0.5", "p95:5,memory=penalty"}) {
                PlaceRequest request;
                request.problem = problem;
                request.maxEvaluations = 200;
                request.objective = parseObjective(text);
                const PlaceResult result = makePlacer(info.name)->place(request);
                QVERIFY(result.objective == request.objective);
                QCOMPARE(result.value,
                         Evaluator(problem, request.objective).value(result.assignment));
                QCOMPARE(result.makespan, sim::Simulator(problem).makespan(result.assignment));
            }
        }
    }

    void percentileObjectiveLowersThePercentile() {
        double ratio = 0;
        constexpr int kProblems = 6;
        for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
            RandomProblemSpec spec;
            spec.ops = 30;
            spec.communication = 2;
            spec.options.durationVariation = 0.5;
            const auto problem = randomProblem(spec, seed);
            PlaceRequest request;
            request.problem = problem;
            request.maxEvaluations = 4000;
            const PlaceResult plain = makePlacer("anneal")->place(request);
            request.objective = parseObjective("p95:64");
            const PlaceResult careful = makePlacer("anneal")->place(request);
            ratio += std::log(static_cast<double>(percentile(problem, careful.assignment)) /
                              static_cast<double>(percentile(problem, plain.assignment))) /
                     kProblems;
        }
        qInfo("95th percentile, of the plain objective's: %.3f", std::exp(ratio));
        QVERIFY(std::exp(ratio) < 0.98);
    }
};

QTEST_GUILESS_MAIN(TestObjective)
#include "TestObjective.moc"
