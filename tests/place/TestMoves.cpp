#include <QTest>

#include "core/graph/GraphBuilder.h"
#include "core/place/Moves.h"
#include "core/place/Registry.h"
#include "core/workload/Workload.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::place;
using namespace doppler::tests;

namespace {

/// `width` chains of three ops each, all alike; op = 3 * chain + step.
std::shared_ptr<const sim::Problem> alikeChains(int width) {
    graph::GraphBuilder builder;
    builder.setFileCostUnit(graph::FileCostUnit::Units);
    for (int i = 0; i < 3 * width; ++i) {
        builder.addOp({.fileCompute = 10 + i % 3, .fileTransfer = 5});
        if (i % 3 > 0) {
            builder.addEdge(i - 1, i);
        }
    }
    return sim::makeProblem(
        builder.build(), std::make_shared<const cluster::Cluster>(cluster::uniformCluster(width)),
        cost::CostModel::Published, sim::SimOptions::published());
}

} // namespace

class TestMoves : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pinsStayAndUndoRestores() {
        for (const GraphShape shape : kGraphShapes) {
            RandomProblemSpec spec;
            spec.shape = shape;
            spec.ops = 40;
            spec.devices = 4;
            spec.pinned = 0.3;
            const auto problem = randomProblem(spec, 5);
            Random random(7);
            Moves moves(*problem, std::make_shared<const Clusterings>(*problem, random));
            sim::Assignment assignment;
            for (OpId op = 0; op < problem->opCount(); ++op) {
                const DeviceId pin = problem->pin(op);
                assignment.push_back(pin == kNoDevice ? random.below(4) : pin);
            }
            for (int i = 0; i < 5000; ++i) {
                const sim::Assignment before = assignment;
                const bool changed = moves.propose(assignment, random);
                QCOMPARE(changed, assignment != before);
                sim::checkAssignment(*problem, assignment);
                for (OpId op = 0; op < problem->opCount(); ++op) {
                    if (problem->pin(op) != kNoDevice) {
                        QCOMPARE(assignment[static_cast<std::size_t>(op)], problem->pin(op));
                    }
                }
                if (i % 2 == 0) {
                    moves.undo(assignment);
                    QCOMPARE(assignment, before);
                }
            }
        }
    }

    void opsThatLookAlikeAreFound() {
        const auto problem = alikeChains(4);
        Random random(1);
        const Clusterings groups(*problem, random);
        for (OpId op = 0; op < problem->opCount(); ++op) {
            const auto alike = groups.alike(op);
            QCOMPARE(std::vector<OpId>(alike.begin(), alike.end()),
                     (std::vector<OpId>{op % 3, op % 3 + 3, op % 3 + 6, op % 3 + 9}));
        }
    }

    void aRowOfBlocksFollowsAnotherInOneMove() {
        // The first row is on devices 0..3, the second and third one further: one move puts the
        // second below the first.
        const auto problem = alikeChains(4);
        const sim::Assignment start = {0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 0};
        const sim::Assignment wanted = {0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0};
        Random random(1);
        Moves moves(*problem, std::make_shared<const Clusterings>(*problem, random));
        int found = 0;
        for (int i = 0; i < 1000; ++i) {
            sim::Assignment assignment = start;
            moves.propose(assignment, random);
            found += assignment == wanted ? 1 : 0;
        }
        QVERIFY(found > 10);
    }

    void annealingCrossesFromValleyToValley() {
        // Critical path gives 226 to 240; its nearest valleys lie at 170 and above.
        PlaceRequest request;
        request.problem =
            sim::makeProblem(workload::generate("llama-block:devices=4"),
                             std::make_shared<const cluster::Cluster>(cluster::uniformCluster(4)),
                             cost::CostModel::Published, sim::SimOptions::published());
        request.maxEvaluations = 30'000;
        for (request.seed = 1; request.seed <= 3; ++request.seed) {
            const PlaceResult result = makePlacer("anneal")->place(request);
            QVERIFY2(result.makespan < 1'669'000'000'000,
                     qPrintable(QString::number(static_cast<double>(result.makespan))));
            QVERIFY(result.evaluations <= *request.maxEvaluations + 100);
        }
    }

    void aGivenStartIsNeverLeftForAWorseOne() {
        RandomProblemSpec spec;
        spec.ops = 60;
        PlaceRequest request;
        request.problem = randomProblem(spec, 2);
        request.maxEvaluations = 20'000;
        const PlaceResult first = makePlacer("anneal")->place(request);
        request.start = first.assignment;
        request.maxEvaluations = 50;
        QVERIFY(makePlacer("anneal")->place(request).makespan <= first.makespan);
    }
};

QTEST_GUILESS_MAIN(TestMoves)
#include "TestMoves.moc"
