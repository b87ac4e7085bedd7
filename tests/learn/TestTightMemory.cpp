#include <QTest>

#include <algorithm>

#include "core/learn/Episode.h"
#include "core/place/MemoryNotes.h"
#include "tests/support/SmallTraining.h"

using namespace doppler;
using namespace doppler::learn;
using namespace doppler::tests;

namespace {

/// Everything together fits, but not the fastest placements.
std::shared_ptr<const sim::Problem> tightProblem(std::uint64_t seed) {
    RandomProblemSpec spec;
    spec.ops = 24;
    spec.capacity = 0.8;
    return randomProblem(spec, seed);
}

bool fits(const std::shared_ptr<const sim::Problem>& problem, const sim::Assignment& assignment) {
    return place::memoryNotes(problem, assignment).empty();
}

} // namespace

class TestTightMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordsPreferWhatFits() {
        constexpr std::uint64_t kProblems = 8;
        int quickerDidNotFit = 0;
        int greedyFits = 0;
        for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
            const QTemporaryDir dir;
            TrainRequest request = smallRequest();
            request.options.stages = {{Stage::Simulation, 150 * 8}};
            request.options.elitesPerUpdate = 0;
            request.problems = {tightProblem(seed)};
            request.directory = pathOf(dir);
            Time quickest = 0;
            request.progress = [&](const UpdateFacts& facts) {
                const Time least =
                    *std::min_element(facts.makespans.begin(), facts.makespans.end());
                quickest = quickest == 0 ? least : std::min(quickest, least);
            };
            const ProblemResult result = train(request).problems[0];
            QVERIFY(fits(request.problems[0], result.bestAssignment));
            QVERIFY(fits(request.problems[0], result.policyAssignment));
            quickerDidNotFit += quickest < result.best ? 1 : 0;
            greedyFits += fits(request.problems[0], result.greedyAssignment) ? 1 : 0;

            // Nor does a resumed run take the quicker ones.
            request.progress = nullptr;
            request.resume = true;
            const ProblemResult again = train(request).problems[0];
            QVERIFY(again.bestAssignment == result.bestAssignment);
            QCOMPARE(again.best, result.best);
        }
        QVERIFY(quickerDidNotFit > 0);
        QVERIFY2(greedyFits > 5, qPrintable(QString::number(greedyFits))); // it learns to
    }

    // A placement that fits is worth more than any that does not.
    void lackingMemoryCountsMoreThanTime() {
        Episode slow;
        slow.makespan = 199;
        Episode quick;
        quick.makespan = 100;
        quick.lackingMemory = 1e-6;
        QVERIFY(slow.judged() < quick.judged());
        Episode worse = quick;
        worse.lackingMemory = 1e9;
        QVERIFY(quick.judged() < worse.judged());
        QVERIFY(worse.judged() <= 300);
        QVERIFY(rankOf(1'000'000, true) < rankOf(1, false));
    }

    void whereNothingFitsTheQuickestIsKept() {
        TrainRequest request = smallRequest(5);
        RandomProblemSpec spec;
        spec.ops = 24;
        spec.capacity = 0.01;
        request.problems = {randomProblem(spec, 2)};
        const TrainResult result = train(request);
        QVERIFY(!fits(request.problems[0], result.problems[0].bestAssignment));
        QVERIFY(result.problems[0].best <= result.problems[0].policy);
    }
};

QTEST_GUILESS_MAIN(TestTightMemory)
#include "TestTightMemory.moc"
