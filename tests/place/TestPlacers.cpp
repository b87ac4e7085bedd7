#include <QTest>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "core/graph/InputError.h"
#include "core/place/CriticalPath.h"
#include "core/place/Registry.h"
#include "core/place/policy/PaperRollout.h"
#include "core/place/policy/PolicyProblem.h"
#include "core/place/policy/PolicyRollout.h"
#include "core/place/policy/PolicyStarts.h"
#include "core/sim/Bounds.h"
#include "core/sim/Simulator.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::place;
using namespace doppler::tests;

namespace {

constexpr std::int64_t kEvaluations = 300;

PlaceResult placed(const std::string& name, const std::shared_ptr<const sim::Problem>& problem,
                   std::uint64_t seed = 1) {
    PlaceRequest request;
    request.problem = problem;
    request.seed = seed;
    request.maxEvaluations = kEvaluations;
    return makePlacer(name)->place(request);
}

struct Case {
    const char* name;
    RandomProblemSpec spec;
};

std::vector<Case> cases() {
    std::vector<Case> list = {
        {"one device", {.devices = 1}},
        {"one op", {.ops = 1}},
        {"one pinned op", {.ops = 1, .pinned = 1}},
        {"empty graph", {.ops = 0}},
        {"no edges", {.shape = GraphShape::Independent}},
        {"more devices than ops", {.ops = 4, .devices = 9}},
        {"unlike devices", {.communication = 4, .unlikeDevices = true}},
        {"pinned ops", {.pinned = 0.4}},
        {"pinned ops on unlike devices", {.devices = 4, .unlikeDevices = true, .pinned = 0.3}},
        {"all pinned", {.pinned = 1}},
        {"free transfers and empty ops", {.zeroCosts = 0.5}},
        {"all costs 0", {.zeroCosts = 1}},
        {"two slots", {.slots = 2}},
        {"costs of edges", {.edgeTransferCosts = true}},
        {"tight memory", {.capacity = 0.8}},
        {"published options", {.options = sim::SimOptions::published()}},
        {"one transfer a port", {.options = {.contention = sim::LinkContention::PerPort}}},
        {"held for memory",
         {.inputs = 5, .capacity = 0.8, .options = {.memory = sim::MemoryPolicy::Hold}}},
        {"random durations", {.options = {.durationVariation = 0.3}}},
        {"bulk-synchronous", {.options = {.mode = sim::ExecutionMode::BulkSynchronous}}},
    };
    for (const GraphShape shape : kGraphShapes) {
        list.push_back({name(shape), {.shape = shape, .ops = 40, .devices = 4}});
    }
    return list;
}

} // namespace

class TestPlacers : public QObject {
    Q_OBJECT

private:
    static void addPlacers(bool searchesOnly = false) {
        QTest::addColumn<QString>("placer");
        for (const PlacerInfo& info : placers()) {
            if (info.search || !searchesOnly) {
                QTest::newRow(info.name.c_str()) << QString::fromStdString(info.name);
            }
        }
    }

private Q_SLOTS:
    void everyProblemIsPlaced_data() { addPlacers(); }

    void everyProblemIsPlaced() {
        QFETCH(QString, placer);
        for (const Case& each : cases()) {
            for (std::uint64_t seed = 1; seed <= 4; ++seed) {
                const auto problem = randomProblem(each.spec, seed);
                const PlaceResult result = placed(placer.toStdString(), problem, seed);
                const QByteArray where =
                    QByteArray(each.name) + ", seed " + QByteArray::number(qulonglong(seed));
                sim::checkAssignment(*problem, result.assignment);
                for (OpId op = 0; op < problem->opCount(); ++op) {
                    if (problem->pin(op) != kNoDevice) {
                        QVERIFY2(result.assignment[static_cast<std::size_t>(op)] ==
                                     problem->pin(op),
                                 where);
                    }
                }
                sim::Simulator simulator(problem);
                QVERIFY2(result.makespan == simulator.makespan(result.assignment), where);
                QVERIFY2(result.makespan >= sim::lowerBound(*problem).value, where);
                QVERIFY2(result.evaluations >= 0 && result.seconds >= 0, where);
                QVERIFY2(!result.provedBound || *result.provedBound <= result.value, where);
                const bool memory = each.spec.capacity > 0; // then the value may count it
                QVERIFY2(memory || result.value == result.makespan, where);
            }
        }
    }

    void sameSeedSameAnswer_data() { addPlacers(); }

    void sameSeedSameAnswer() {
        QFETCH(QString, placer);
        RandomProblemSpec spec;
        spec.ops = 50;
        spec.unlikeDevices = true;
        spec.pinned = 0.1;
        const auto problem = randomProblem(spec, 7);
        const PlaceResult first = placed(placer.toStdString(), problem, 11);
        const PlaceResult second = placed(placer.toStdString(), problem, 11);
        QCOMPARE(first.assignment, second.assignment);
        QCOMPARE(first.makespan, second.makespan);
    }

    void stepBudgetsAreKept_data() { addPlacers(true); }

    void stepBudgetsAreKept() {
        QFETCH(QString, placer);
        RandomProblemSpec plain;
        plain.ops = 60;
        plain.devices = 4;
        RandomProblemSpec tight = plain;
        tight.capacity = 0.5;
        for (const RandomProblemSpec& spec : {plain, tight}) {
            for (const std::int64_t budget : {1, 2, 3, 9, 100, 1500}) {
                PlaceRequest request;
                request.problem = randomProblem(spec, 4);
                request.seed = 3;
                request.maxEvaluations = budget;
                request.budgetSeconds = 0; // plays no part
                const PlaceResult first = makePlacer(placer.toStdString())->place(request);
                const QByteArray counts = QByteArray::number(qlonglong(first.evaluations)) +
                                          " of " + QByteArray::number(qlonglong(budget));
                QVERIFY2(first.evaluations >= 1 && first.evaluations <= budget, counts);
                QVERIFY2(budget < 1500 || first.evaluations > budget / 2, counts);
                // Whoever is slow: the threads of a search must not feel it.
                request.progress = [](const PlaceProgress&) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(3));
                };
                const PlaceResult second = makePlacer(placer.toStdString())->place(request);
                QCOMPARE(second.assignment, first.assignment);
                QCOMPARE(second.evaluations, first.evaluations);
                QCOMPARE(second.value, first.value);
            }
        }
    }

    void seedMattersWhereItIsSaid_data() { addPlacers(); }

    void seedMattersWhereItIsSaid() {
        QFETCH(QString, placer);
        const auto& all = placers();
        const auto info = std::find_if(all.begin(), all.end(), [&](const PlacerInfo& each) {
            return each.name == placer.toStdString();
        });
        // Many ties; and one that a search does not solve whatever its seed.
        RandomProblemSpec ties;
        ties.shape = GraphShape::Independent;
        ties.ops = 40;
        ties.devices = 4;
        ties.largestCost = 3;
        RandomProblemSpec hard;
        hard.ops = 80;
        hard.devices = 4;
        bool differ = false;
        for (const RandomProblemSpec& spec : {ties, hard}) {
            const auto problem = randomProblem(spec, 3);
            std::set<sim::Assignment> answers;
            for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                answers.insert(placed(placer.toStdString(), problem, seed).assignment);
            }
            differ = differ || answers.size() > 1;
        }
        QCOMPARE(differ, info->random);
    }

    void stopIsHonoured_data() { addPlacers(true); }

    void stopIsHonoured() {
        QFETCH(QString, placer);
        RandomProblemSpec spec;
        spec.ops = 200;
        PlaceRequest request;
        request.problem = randomProblem(spec, 2);
        request.budgetSeconds = 1000;
        std::stop_source stop;
        stop.request_stop();
        request.stop = stop.get_token();
        // Would run for a quarter of an hour if it did not look.
        const PlaceResult result = makePlacer(placer.toStdString())->place(request);
        sim::checkAssignment(*request.problem, result.assignment);
        QVERIFY(result.evaluations <= 4); // what a start takes
    }

    void stopWhileItRunsIsHonoured_data() { addPlacers(true); }

    void stopWhileItRunsIsHonoured() {
        QFETCH(QString, placer);
        RandomProblemSpec spec;
        spec.ops = 300;
        spec.devices = 4;
        PlaceRequest request;
        request.problem = randomProblem(spec, 2);
        // More than anybody can wait for.
        request.maxEvaluations = std::numeric_limits<std::int64_t>::max() / 4;
        std::stop_source stop;
        request.stop = stop.get_token();
        std::int64_t evaluated = -1;
        request.progress = [&](const PlaceProgress& progress) {
            if (!stop.stop_requested()) {
                evaluated = progress.evaluations;
                stop.request_stop();
            }
        };
        const PlaceResult result = makePlacer(placer.toStdString())->place(request);
        sim::checkAssignment(*request.problem, result.assignment);
        QVERIFY(evaluated >= 0);
        if (placer != "anneal") { // whose other chain goes on while this one tells
            QVERIFY2(result.evaluations <= evaluated + 2,
                     qPrintable(QString::number(result.evaluations - evaluated)));
        }
    }

    void stoppedRolloutsEndEarly() {
        RandomProblemSpec spec;
        spec.ops = 3000;
        const auto problem = randomProblem(spec, 2);
        const auto prepared = std::make_shared<const PolicyProblem>(problem);
        std::stop_source stop;
        PolicyRollout policy(prepared);
        PaperRollout paper(prepared);
        policy.stopOn(stop.get_token());
        paper.stopOn(stop.get_token());
        sim::checkAssignment(*problem, policy.run(handRule()));
        sim::checkAssignment(*problem, paper.run(PaperRollout::startWeights()));
        QVERIFY(policy.complete() && paper.complete());
        stop.request_stop();
        policy.run(handRule());
        paper.run(PaperRollout::startWeights());
        QVERIFY(!policy.complete() && !paper.complete());
    }

    void stoppedSearchesStartWithoutTheirPreparations() {
        RandomProblemSpec spec;
        spec.ops = 200;
        const auto problem = randomProblem(spec, 2);
        std::stop_source stop;
        stop.request_stop();
        SearchLimit limit = SearchLimit::forSeconds(1000, stop.get_token());
        PlaceRequest request;
        request.problem = problem;
        request.seed = 5;
        request.stop = stop.get_token();
        const auto starts = searchStarts(request, 7, 8, limit);
        QCOMPARE(starts.size(), std::size_t{1});
        QCOMPARE(starts.front().assignment, bestCriticalPath(problem, 5));
        QVERIFY(policyStarts(problem, Objective(), 5, 8, limit).empty());
        QVERIFY(!PolicyProblem(problem, stop.get_token()).complete);
        QVERIFY(PolicyProblem(problem).complete);
        // Bounds that were stopped are bounds.
        const Time whole = sim::lowerBound(*problem).value;
        const Time part = sim::lowerBound(*problem, stop.get_token()).value;
        QVERIFY(part > 0 && part <= whole);
    }

    void aStoppedFavouriteRuleIsTheRuleWithout() {
        RandomProblemSpec spec;
        spec.ops = 200;
        std::stop_source stop;
        stop.request_stop();
        PlaceRequest request;
        request.problem = randomProblem(spec, 2);
        request.stop = stop.get_token();
        const PlaceResult result = makePlacer("m-sct")->place(request);
        QCOMPARE(result.assignment, makePlacer("m-etf")->place(request).assignment);
        QVERIFY(std::find(result.notes.begin(), result.notes.end(), "stopped: as m-etf") !=
                result.notes.end());
    }

    void progressImprovesAndEndsAtTheResult_data() { addPlacers(true); }

    void progressImprovesAndEndsAtTheResult() {
        QFETCH(QString, placer);
        RandomProblemSpec spec;
        spec.ops = 60;
        PlaceRequest request;
        request.problem = randomProblem(spec, 2);
        request.maxEvaluations = 5000;
        Time last = std::numeric_limits<Time>::max();
        double fraction = -1;
        sim::Simulator simulator(request.problem);
        request.progress = [&](const PlaceProgress& progress) {
            QVERIFY(progress.best <= last);
            QVERIFY(progress.fraction >= fraction && progress.fraction <= 1);
            if (progress.improved) {
                QCOMPARE(simulator.makespan(*progress.improved), progress.best);
            }
            last = progress.best;
            fraction = progress.fraction;
        };
        const PlaceResult result = makePlacer(placer.toStdString())->place(request);
        QVERIFY(result.makespan <= last);
        QVERIFY(last < std::numeric_limits<Time>::max()); // told at least once
    }

    void unknownNameListsTheKnown() {
        try {
            makePlacer("magic");
            QFAIL("accepted");
        } catch (const InputError& error) {
            QVERIFY(std::string(error.what()).find("critical-path") != std::string::npos);
        }
    }

    void namesAreUniqueAndDescribed() {
        std::set<std::string> names;
        for (const PlacerInfo& info : placers()) {
            QVERIFY(names.insert(info.name).second);
            QVERIFY(!info.description.empty() && info.description.back() == '.');
        }
    }
};

QTEST_GUILESS_MAIN(TestPlacers)
#include "TestPlacers.moc"
