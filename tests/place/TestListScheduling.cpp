#include <QTest>

#include <algorithm>

#include "core/graph/GraphBuilder.h"
#include "core/io/Formats.h"
#include "core/place/Cpop.h"
#include "core/place/CriticalPath.h"
#include "core/place/EarliestTask.h"
#include "core/place/FavouriteChildren.h"
#include "core/place/Heft.h"
#include "core/place/Peft.h"
#include "core/place/Registry.h"
#include "tests/support/RandomProblem.h"
#include "tests/support/SharedData.h"
#include "tests/support/TenTasks.h"

using namespace doppler;
using namespace doppler::place;
using namespace doppler::tests;

class TestListScheduling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void heftOfItsPaper() {
        const sim::Problem problem = topcuogluTenTasks();
        const ListSchedule schedule = heftSchedule(problem);
        QCOMPARE(schedule.length(), 80);
        // Figure 3 of the paper: processors of tasks 1..10, counted from 0 here.
        QCOMPARE(schedule.assignment(), (sim::Assignment{2, 0, 2, 1, 2, 1, 2, 0, 1, 1}));
        QCOMPARE(schedule.start(9), 73);
    }

    void cpopOfItsPaper() {
        const ListSchedule schedule = cpopSchedule(topcuogluTenTasks());
        QCOMPARE(schedule.length(), 86);
        // The critical path 1, 2, 9, 10 runs on the second processor.
        for (const OpId op : {0, 1, 8, 9}) {
            QCOMPARE(schedule.assignment()[static_cast<std::size_t>(op)], 1);
        }
    }

    void peftOfItsPaper() {
        const sim::Problem problem = arabnejadTenTasks();
        // Table 2 of the paper, rows T1 and T8.
        const std::vector<double> costs = optimisticCosts(problem);
        QCOMPARE(std::vector<double>(costs.begin(), costs.begin() + 3),
                 (std::vector<double>{64, 68, 86}));
        QCOMPARE(std::vector<double>(costs.begin() + 21, costs.begin() + 24),
                 (std::vector<double>{13, 16, 33}));
        QCOMPARE(peftSchedule(problem).length(), 122);
        QCOMPARE(heftSchedule(problem).length(), 133);
    }

    void earliestTaskFirst() {
        // Op 1 could start on device 1 only after a transfer of 9, on device 0 at 10: it waits for
        // its parent's device; op 2, without inputs, starts at once on device 1.
        graph::GraphBuilder builder;
        for (int i = 0; i < 3; ++i) {
            builder.addOp({});
        }
        builder.addEdge(0, 1);
        sim::Problem problem;
        problem.graph = builder.build();
        problem.cluster = std::make_shared<cluster::Cluster>(cluster::uniformCluster(2));
        problem.costs = cost::CostTable::fromMatrices(*problem.graph, 2, {10, 10, 4, 4, 3, 3},
                                                      {0, 9, 9, 0}, cost::TimeUnit::Units);
        const ListSchedule schedule = earliestTaskSchedule(problem, MemoryCount::Off);
        QCOMPARE(schedule.assignment(), (sim::Assignment{0, 0, 1}));
        QCOMPARE(schedule.start(1), 10);
        QCOMPARE(schedule.start(2), 0);
    }

    void favouriteChildIsTheOneWorthIt() {
        // Op 0 has two children; keeping the long one beside it saves the longer way.
        graph::GraphBuilder builder;
        for (int i = 0; i < 3; ++i) {
            builder.addOp({});
        }
        builder.addEdge(0, 1);
        builder.addEdge(0, 2);
        sim::Problem problem;
        problem.graph = builder.build();
        problem.cluster = std::make_shared<cluster::Cluster>(cluster::uniformCluster(2));
        problem.costs = cost::CostTable::fromMatrices(
            *problem.graph, 2, {4, 4, 3, 3, 9, 9}, {0, 5, 5, 0, 0, 5, 5, 0}, cost::TimeUnit::Units);
        const FavouriteChildren favourites = favouriteChildren(problem);
        QVERIFY(favourites.note.empty());
        QCOMPARE(favourites.child, (std::vector<OpId>{2, kNoOp, kNoOp}));
        QCOMPARE(favourites.parent, (std::vector<OpId>{kNoOp, kNoOp, 0}));
        // x of edge 0-2 and of 0-1 add up to 1: 4 + 5 x + 9 is least for x = 0.
        QVERIFY(std::abs(favouriteProgramOptimum(problem) - 13) < 1e-6);
    }

    void noOpIsTheFavouriteOfTwo() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            RandomProblemSpec spec;
            spec.shape = kGraphShapes[seed % std::size(kGraphShapes)];
            spec.ops = 60;
            const auto problem = randomProblem(spec, seed);
            const FavouriteChildren favourites = favouriteChildren(*problem);
            QVERIFY(favourites.note.empty());
            for (OpId op = 0; op < problem->opCount(); ++op) {
                const OpId child = favourites.child[static_cast<std::size_t>(op)];
                if (child != kNoOp) {
                    QCOMPARE(favourites.parent[static_cast<std::size_t>(child)], op);
                }
            }
        }
    }

    void schedulesRespectParentsAndLanes_data() {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<int>("slots");
        for (const char* rule : {"critical-path", "heft", "cpop", "peft", "m-etf"}) {
            for (const int slots : {1, 2}) {
                QTest::addRow("%s, %d slots", rule, slots) << rule << slots;
            }
        }
    }

    void schedulesRespectParentsAndLanes() {
        QFETCH(QString, rule);
        QFETCH(int, slots);
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            RandomProblemSpec spec;
            spec.shape = kGraphShapes[seed % std::size(kGraphShapes)];
            spec.ops = 40;
            spec.slots = slots;
            spec.communication = 3;
            spec.zeroCosts = 0.2;
            spec.unlikeDevices = true;
            const auto problem = randomProblem(spec, seed);
            const ListSchedule schedule = scheduleBy(rule, *problem, seed);
            const auto device = [&](OpId op) {
                return schedule.assignment()[static_cast<std::size_t>(op)];
            };
            for (OpId op = 0; op < problem->opCount(); ++op) {
                QVERIFY(schedule.start(op) >= schedule.inputsThere(op, device(op)));
                QCOMPARE(schedule.end(op) - schedule.start(op),
                         problem->costs->compute(op, device(op)));
                QVERIFY(runningAt(*problem, schedule, device(op), schedule.start(op)) <= slots);
            }
        }
    }

    void insertionFillsAGap() {
        // Op 0 keeps device 0 until 10, its child waits for a transfer there from op 1; op 2 is
        // ranked last and fits between.
        graph::GraphBuilder builder;
        for (int i = 0; i < 4; ++i) {
            builder.addOp({});
        }
        builder.addEdge(0, 2);
        builder.addEdge(1, 2);
        sim::Problem problem;
        problem.graph = builder.build();
        problem.cluster = std::make_shared<cluster::Cluster>(cluster::uniformCluster(2));
        problem.costs =
            cost::CostTable::fromMatrices(*problem.graph, 2, {10, 10, 10, 10, 5, 5, 6, 6},
                                          {0, 9, 9, 0, 0, 9, 9, 0}, cost::TimeUnit::Units);
        problem.pins = {0, 1, 0, 0};
        const ListSchedule schedule = heftSchedule(problem);
        QCOMPARE(schedule.start(2), 19);
        QCOMPARE(schedule.start(3), 10);
    }

    void criticalPathOnThePublishedGraphs_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("devices");
        QTest::addColumn<double>("least"); // x 1e10: what correct list schedulers give
        QTest::addColumn<double>("most");
        QTest::newRow("ffnn") << "ffnn_192nodes" << 4 << 77.0 << 84.5;
        QTest::newRow("block") << "gdp_transformer_block_215nodes" << 4 << 226.0 << 240.5;
        QTest::newRow("layer") << "gdp_full_transformer_layer_261nodes" << 4 << 200.0 << 237.5;
        QTest::newRow("8 devices, block") << "8gpu_transformer_block" << 8 << 300.0 << 335.0;
    }

    void criticalPathOnThePublishedGraphs() {
        if (!hasSharedData()) {
            QSKIP(kNoSharedData);
        }
        QFETCH(QString, file);
        QFETCH(int, devices);
        QFETCH(double, least);
        QFETCH(double, most);
        const auto graph =
            io::readGraphFile(sharedPath("graphs/doppler/" + file + ".txt").toStdString()).graph;
        PlaceRequest request;
        request.problem = sim::makeProblem(
            graph, std::make_shared<cluster::Cluster>(cluster::uniformCluster(devices)),
            cost::CostModel::Published, sim::SimOptions::published());
        for (request.seed = 1; request.seed <= 5; ++request.seed) {
            const double makespan =
                static_cast<double>(makePlacer("critical-path")->place(request).makespan) / 1e10;
            QVERIFY2(makespan >= least && makespan <= most, qPrintable(QString::number(makespan)));
        }
    }

private:
    static ListSchedule scheduleBy(const QString& rule, const sim::Problem& problem,
                                   std::uint64_t seed) {
        return rule == "heft"    ? heftSchedule(problem)
               : rule == "cpop"  ? cpopSchedule(problem)
               : rule == "peft"  ? peftSchedule(problem)
               : rule == "m-etf" ? earliestTaskSchedule(problem, MemoryCount::Off)
                                 : criticalPathSchedule(problem, seed);
    }

    static int runningAt(const sim::Problem& problem, const ListSchedule& schedule, DeviceId device,
                         Time time) {
        int running = 0;
        for (OpId op = 0; op < problem.opCount(); ++op) {
            const bool here = schedule.assignment()[static_cast<std::size_t>(op)] == device;
            running += here && schedule.start(op) <= time && time < schedule.end(op) ? 1 : 0;
        }
        return running;
    }
};

QTEST_GUILESS_MAIN(TestListScheduling)
#include "TestListScheduling.moc"
