#include <QSignalSpy>
#include <QTest>

#include "core/cluster/Cluster.h"
#include "core/workload/Workload.h"
#include "tests/support/SampleWorkspaces.h"
#include "views/workspace/Workspace.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::openChain;
using doppler::tests::roundRobin;

class TestWorkspace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void simulatesWhatIsAdded() {
        Workspace workspace;
        openChain(workspace);
        QVERIFY(workspace.current() != nullptr);
        QCOMPARE(workspace.current()->makespan(),
                 sim::simulate(workspace.problem(), roundRobin(*workspace.problem())).makespan);
        QTRY_VERIFY(workspace.bound().value > 0);
        QVERIFY(workspace.bound().value <= workspace.current()->makespan());
    }

    void firstEditMakesACopyAndUndoRemovesIt() {
        Workspace workspace;
        openChain(workspace);
        const Time before = workspace.current()->makespan();
        const int found = workspace.currentId();
        QSignalSpy timelines(&workspace, &Workspace::timelineChanged);

        workspace.assign({0}, 3);
        QCOMPARE(workspace.placements().size(), std::size_t{2});
        QCOMPARE(workspace.current()->label(), QStringLiteral("round-robin, 1 edit"));
        QVERIFY(!timelines.isEmpty());
        QVERIFY(workspace.hasLastDifference());
        QCOMPARE(workspace.lastDifference(), workspace.current()->makespan() - before);
        QCOMPARE(workspace.placement(found)->makespan(), before);

        workspace.assign({1, 2}, 0);
        QCOMPARE(workspace.placements().size(), std::size_t{2});
        QCOMPARE(workspace.current()->edits(), 3);

        workspace.undoStack().undo();
        workspace.undoStack().undo();
        QCOMPARE(workspace.placements().size(), std::size_t{1});
        QCOMPARE(workspace.currentId(), found);
        QCOMPARE(workspace.current()->makespan(), before);

        workspace.undoStack().redo();
        workspace.undoStack().redo();
        QCOMPARE(workspace.current()->edits(), 3);
    }

    void aDragIsOneStep() {
        Workspace workspace;
        openChain(workspace);
        const Time before = workspace.current()->makespan();
        const int steps = workspace.undoStack().count();
        const int key = workspace.newDragKey();
        for (const DeviceId device : {1, 2, 3}) {
            workspace.assign({0}, device, key);
        }
        QCOMPARE(workspace.undoStack().count(), steps + 1);
        QCOMPARE((*workspace.current()->assignment)[0], 3);
        workspace.undoStack().undo();
        QCOMPARE(workspace.current()->makespan(), before);
        workspace.undoStack().redo();
        QCOMPARE((*workspace.current()->assignment)[0], 3);
    }

    void aDragBackToTheStartLeavesNoStep() {
        Workspace workspace;
        openChain(workspace);
        workspace.assign({5}, 3); // the copy exists
        const int steps = workspace.undoStack().count();
        const int key = workspace.newDragKey();
        workspace.assign({0}, 2, key);
        workspace.assign({0}, 0, key);
        QCOMPARE(workspace.undoStack().count(), steps);
    }

    void aPreviewShowsButDoesNotChange() {
        Workspace workspace;
        openChain(workspace);
        const Time before = workspace.current()->makespan();
        const int steps = workspace.undoStack().count();
        std::map<OpId, DeviceId> changes;
        for (OpId op = 0; op < workspace.problem()->opCount(); ++op) {
            changes[op] = 0;
        }
        workspace.setPreview(changes);
        QVERIFY(workspace.current()->makespan() > before);
        QCOMPARE(workspace.committed()->makespan(), before);
        QCOMPARE(workspace.undoStack().count(), steps);
        workspace.setPreview({});
        QCOMPARE(workspace.current()->makespan(), before);
        workspace.setPreview(changes);
        workspace.assign({0}, 1); // any change ends it
        QVERIFY(!workspace.isPreviewing());
        QCOMPARE(workspace.current()->edits(), 1);
    }

    void pinnedOpsStay() {
        Workspace workspace;
        openChain(workspace);
        QSignalSpy notices(&workspace, &Workspace::notice);
        workspace.setPinned({0}, true);
        QVERIFY(workspace.isPinned(0));
        workspace.assign({0, 1}, 3);
        QCOMPARE((*workspace.current()->assignment)[0], 0);
        QCOMPARE((*workspace.current()->assignment)[1], 3);
        QCOMPARE(notices.size(), 1);
        workspace.undoStack().undo();
        workspace.undoStack().undo();
        QVERIFY(!workspace.isPinned(0));
    }

    void anotherClusterKeepsThePlacements() {
        Workspace workspace;
        openChain(workspace);
        const Time before = workspace.current()->makespan();
        workspace.changeProblem(
            std::make_shared<const cluster::Cluster>(cluster::uniformCluster(2)),
            QStringLiteral("uniform:2"), cost::CostModel::Physical, sim::SimOptions{});
        QCOMPARE(workspace.problem()->deviceCount(), 2);
        QCOMPARE(workspace.placements().size(), std::size_t{1});
        for (const DeviceId device : *workspace.current()->assignment) {
            QVERIFY(device < 2);
        }
        QVERIFY(workspace.current()->timeline != nullptr);
        workspace.undoStack().undo();
        QCOMPARE(workspace.problem()->deviceCount(), 4);
        QCOMPARE(workspace.current()->makespan(), before);
    }

    void editsAreCountedOverAClusterChange() {
        Workspace workspace;
        openChain(workspace);
        workspace.assign({0}, 3);
        workspace.assign({1}, 3);
        QCOMPARE(workspace.current()->edits(), 2);
        workspace.changeProblem(
            std::make_shared<const cluster::Cluster>(cluster::uniformCluster(8)),
            QStringLiteral("uniform:8"), cost::CostModel::Published, sim::SimOptions::published());
        QCOMPARE(workspace.current()->edits(), 2);
        workspace.undoStack().undo();
        QCOMPARE(workspace.current()->edits(), 2);
        workspace.undoStack().undo();
        QCOMPARE(workspace.current()->edits(), 1);
    }

    void impossibleChangesThrowAndChangeNothing() {
        Workspace workspace;
        const auto problem =
            sim::makeProblem(workload::generate("rnnlm:size=tiny"),
                             std::make_shared<const cluster::Cluster>(cluster::uniformCluster(2)),
                             cost::CostModel::Physical, {});
        workspace.open(problem, QStringLiteral("rnnlm:size=tiny"), QStringLiteral("uniform:2"),
                       cost::CostModel::Physical);
        QVERIFY_THROWS_EXCEPTION(
            std::exception, workspace.changeProblem(problem->cluster, QStringLiteral("x"),
                                                    cost::CostModel::Published, problem->options));
        QCOMPARE(workspace.problem(), problem);
    }

    void removeAndRenameAreUndoable() {
        Workspace workspace;
        openChain(workspace);
        const int first = workspace.currentId();
        const int second = workspace.addPlacement(roundRobin(*workspace.problem()),
                                                  QStringLiteral("round-robin"), 2, 0);
        QCOMPARE(workspace.current()->label(), QStringLiteral("round-robin 2"));
        workspace.renamePlacement(second, QStringLiteral("mine"));
        workspace.removePlacement(second);
        QCOMPARE(workspace.currentId(), first);
        workspace.undoStack().undo();
        QCOMPARE(workspace.currentId(), second);
        QCOMPARE(workspace.current()->label(), QStringLiteral("mine"));
        workspace.undoStack().undo();
        QCOMPARE(workspace.current()->label(), QStringLiteral("round-robin 2"));
    }

    void sessionRoundTrip() {
        Workspace workspace;
        openChain(workspace);
        workspace.assign({0}, 3);
        workspace.setPinned({1}, true);
        const io::Session session =
            io::parseSession(io::writeSession(workspace.toSession()), "session");

        Workspace copy;
        copy.openSession(session);
        QCOMPARE(copy.placements().size(), workspace.placements().size());
        QCOMPARE(copy.current()->label(), workspace.current()->label());
        QCOMPARE(*copy.current()->assignment, *workspace.current()->assignment);
        QCOMPARE(copy.current()->makespan(), workspace.current()->makespan());
        QVERIFY(copy.isPinned(1));
        QVERIFY(!copy.isModified());
    }

    void modifiedFollowsTheHistory() {
        Workspace workspace;
        openChain(workspace);
        QVERIFY(workspace.isModified());
        workspace.setSessionPath(QStringLiteral("a.json"));
        QVERIFY(!workspace.isModified());
        workspace.assign({0}, 3);
        QVERIFY(workspace.isModified());
        workspace.undoStack().undo();
        QVERIFY(!workspace.isModified());
    }

    void largeGraphsAreSimulatedInTheBackground() {
        Workspace workspace;
        auto cluster = std::make_shared<const cluster::Cluster>(cluster::uniformCluster(4));
        const auto graph = workload::generate("random:ops=20000");
        workspace.open(
            sim::makeProblem(graph, cluster, cost::defaultCostModel(*graph), sim::SimOptions{}),
            QStringLiteral("random"), QStringLiteral("uniform:4"), cost::defaultCostModel(*graph));
        workspace.addPlacement(roundRobin(*workspace.problem()), QStringLiteral("round-robin"), 1,
                               0);
        QVERIFY(workspace.current()->timeline == nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(workspace.current()->timeline != nullptr, 60'000);
    }

    void destroyingDuringJobsIsClean() {
        Workspace workspace;
        openChain(workspace);
        workspace.jobs().start<int>(
            {QStringLiteral("endless")},
            [](JobContext& context) {
                while (!context.stopToken().stop_requested()) {
                    context.report(0.5, QStringLiteral("going"));
                    std::this_thread::yield();
                }
                return 1;
            },
            [](int) { QFAIL("a cancelled job delivered its result"); });
    }
};

QTEST_MAIN(TestWorkspace)
#include "TestWorkspace.moc"
