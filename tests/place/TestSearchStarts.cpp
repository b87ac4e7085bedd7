#include <QTest>

#include <algorithm>

#include "core/place/Registry.h"
#include "core/place/policy/PolicyStarts.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::place;
using namespace doppler::tests;

namespace {

/// Far above the few hundred ops of the graphs that the policies were trained on.
std::shared_ptr<const sim::Problem> largeProblem() {
    RandomProblemSpec spec;
    spec.ops = 6000;
    spec.devices = 4;
    return randomProblem(spec, 2);
}

} // namespace

class TestSearchStarts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void searchesBeginFromPolicies_data() {
        QTest::addColumn<QString>("placer");
        for (const char* name : {"instant", "anneal", "tabu", "mcmc", "exact"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }

    void searchesBeginFromPolicies() {
        QFETCH(QString, placer);
        RandomProblemSpec spec;
        spec.ops = 150;
        spec.devices = 4;
        spec.communication = 2;
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const auto problem = randomProblem(spec, seed);
            SearchLimit one = SearchLimit::forEvaluations(1, {});
            const auto policy = policyStarts(problem, Objective(), 1, 1, one);
            PlaceRequest request;
            request.problem = problem;
            request.maxEvaluations = 16;
            QVERIFY(makePlacer(placer.toStdString())->place(request).value <= policy.front().value);
            // But not where a start was asked for.
            if (placer == "mcmc" || placer == "exact" || placer == "tabu") {
                request.start = sim::Assignment(150, 0);
                request.maxEvaluations = 1;
                QCOMPARE(makePlacer(placer.toStdString())->place(request).assignment,
                         *request.start);
            }
        }
    }

    void searchesAreNoWorseThanCriticalPathOnLargeGraphs_data() {
        QTest::addColumn<QString>("placer");
        for (const PlacerInfo& info : placers()) {
            if (info.search) {
                QTest::newRow(info.name.c_str()) << QString::fromStdString(info.name);
            }
        }
    }

    void searchesAreNoWorseThanCriticalPathOnLargeGraphs() {
        QFETCH(QString, placer);
        const auto problem = largeProblem();
        for (const std::int64_t budget : {1, 2, 3, 9, 40}) {
            PlaceRequest request;
            request.problem = problem;
            request.seed = 3;
            request.maxEvaluations = budget;
            const Time rule = makePlacer("critical-path")->place(request).value;
            const PlaceResult result = makePlacer(placer.toStdString())->place(request);
            QVERIFY2(result.value <= rule, QByteArray::number(qlonglong(budget)));
            QVERIFY(result.evaluations <= budget);
        }
    }

    void startsFarBehindTheBestAreLeftOut() {
        PlaceRequest request;
        request.problem = largeProblem();
        SearchLimit limit = SearchLimit::forEvaluations(3, {});
        std::vector<Time> values;
        const auto starts = searchStarts(
            request, 1, 8, limit, [&](const RankedStart& start) { values.push_back(start.value); });
        QCOMPARE(values.size(), std::size_t{4}); // critical path, and three policies
        QCOMPARE(starts.front().value, *std::min_element(values.begin(), values.end()));
        const auto most = static_cast<double>(*std::max_element(values.begin(), values.end()));
        QVERIFY(most > 1.2 * static_cast<double>(starts.front().value));
        for (const RankedStart& start : starts) {
            QVERIFY(static_cast<double>(start.value) <=
                    1.1 * static_cast<double>(starts.front().value));
        }
    }

    void instantSaysWhatItHadNoTimeFor() {
        const auto notes = [](double budget, std::optional<std::int64_t> evaluations) {
            RandomProblemSpec spec;
            spec.ops = 40;
            PlaceRequest request;
            request.problem = randomProblem(spec, 2);
            request.budgetSeconds = budget;
            request.maxEvaluations = evaluations;
            return makePlacer("instant")->place(request).notes;
        };
        // Without any time there is none for the policies either, however small the graph.
        QCOMPARE(notes(0, {}).size(), std::size_t{1});
        QVERIFY(notes(0, {}).front().find("too little time for 40 ops: 0 of ") == 0);
        QVERIFY(notes(60, {}).back().find("no more than") == 0);
        QVERIFY(notes(60, 4).empty());
    }
};

QTEST_GUILESS_MAIN(TestSearchStarts)
#include "TestSearchStarts.moc"
