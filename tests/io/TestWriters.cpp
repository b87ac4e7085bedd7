#include <QTest>

#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/io/Csv.h"
#include "core/io/DeviceMap.h"
#include "core/io/Formats.h"
#include "core/io/LossNotes.h"
#include "core/sim/Simulator.h"
#include "tests/support/RandomGraph.h"
#include "tests/support/SameGraph.h"

using namespace doppler;
using namespace doppler::io;

namespace {

std::shared_ptr<const graph::Graph> pairOfOps(graph::FileCostUnit unit) {
    graph::GraphBuilder builder("pair <&> \"two\"");
    builder.setFileCostUnit(unit);
    const std::int64_t compute = unit == graph::FileCostUnit::None ? 0 : 30;
    builder.addOp({.name = "a, \"first\"",
                   .kind = graph::OpKind::Contraction,
                   .kindName = "matmul",
                   .shape = {64, 128},
                   .dtype = graph::DType::F32,
                   .flops = 1000,
                   .fileCompute = compute,
                   .group = "layer 1"});
    builder.addOp({.name = "last",
                   .kind = graph::OpKind::Elementwise,
                   .kindName = "relu",
                   .outputBytes = 5,
                   .fileCompute = compute,
                   .detail = "two\nlines"});
    builder.addEdge(0, 1);
    return builder.build();
}

std::shared_ptr<const sim::Problem> problem() {
    return sim::makeProblem(pairOfOps(graph::FileCostUnit::Units),
                            std::make_shared<cluster::Cluster>(cluster::uniformCluster(2)),
                            cost::CostModel::Published, sim::SimOptions::published());
}

} // namespace

class TestWriters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void graphMlComesBack_data() {
        QTest::addColumn<int>("unit");
        for (const auto unit :
             {graph::FileCostUnit::None, graph::FileCostUnit::Units,
              graph::FileCostUnit::Nanoseconds, graph::FileCostUnit::NanosecondsAndBytes}) {
            QTest::addRow("unit %d", static_cast<int>(unit)) << static_cast<int>(unit);
        }
    }

    void graphMlComesBack() {
        QFETCH(int, unit);
        const auto graph = pairOfOps(static_cast<graph::FileCostUnit>(unit));
        const ReadGraph read = parseGraph(writeGraphMl(*graph), "copy.graphml");
        QCOMPARE(read.format, std::string("GraphML"));
        QVERIFY2(read.report.notes.empty(),
                 read.report.notes.empty() ? "" : read.report.notes.front().c_str());
        QCOMPARE(tests::firstDifference(*graph, *read.graph), std::string());
    }

    void dotComesBack_data() { graphMlComesBack_data(); }

    void dotComesBack() {
        QFETCH(int, unit);
        const auto graph = pairOfOps(static_cast<graph::FileCostUnit>(unit));
        const sim::Assignment assignment{0, 1};
        for (const sim::Assignment* devices :
             std::initializer_list<const sim::Assignment*>{nullptr, &assignment}) {
            const ReadGraph read = parseGraph(writeDot(*graph, devices), "copy.dot");
            QCOMPARE(read.format, std::string("DOT"));
            QCOMPARE(read.report.notes, std::vector<std::string>{});
            QCOMPARE(tests::firstDifference(*graph, *read.graph), std::string());
        }
    }

    void outputsAndDevicesComeBack() {
        graph::GraphBuilder builder("marked");
        builder.addOp({.name = "a", .pinnedDevice = 3});
        builder.addOp({.name = "b"});
        builder.addEdge(0, 1);
        builder.markOutput(0);
        const auto graph = builder.build();
        for (const std::string& text : {writeDot(*graph), writeGraphMl(*graph)}) {
            QCOMPARE(tests::firstDifference(*graph, *parseGraph(text, "copy").graph),
                     std::string());
        }
    }

    void everythingComesBack() {
        for (unsigned seed = 0; seed < 400; ++seed) {
            const auto graph = tests::randomGraph(seed);
            for (const std::string& text : {writeDot(*graph), writeGraphMl(*graph)}) {
                const ReadGraph read = parseGraph(text, "copy");
                const std::string difference = tests::firstDifference(*graph, *read.graph);
                QVERIFY2(difference.empty(), (difference + "\n" + text).c_str());
            }
        }
    }

    void graphInputsAreNodes() {
        graph::GraphBuilder builder("read");
        const OpId op = builder.addOp({.name = "a"});
        const InputId x = builder.addInput({.name = "x", .bytes = 8});
        const InputId w = builder.addInput(
            {.name = "", .shape = {2, 2}, .dtype = graph::DType::F32, .bytes = 16, .weight = true});
        for (const InputId input : {w, x, w}) {
            builder.addInputUse(input, op);
        }
        const auto graph = builder.build();
        const std::string dot = writeDot(*graph);
        QVERIFY2(dot.find("i0 [label=\"x\", shape=ellipse") != std::string::npos, dot.c_str());
        QVERIFY2(dot.find("i1 -> 0;") != std::string::npos, dot.c_str());
        for (const std::string& text : {dot, writeGraphMl(*graph)}) {
            const ReadGraph read = parseGraph(text, "copy");
            QCOMPARE(tests::firstDifference(*graph, *read.graph), std::string());
            QCOMPARE(read.report.notes, std::vector<std::string>{});
        }
    }

    void edgesIntoGraphInputsAreDropped() {
        const ReadGraph read = parseGraph("digraph { a [flops=1]; x [isInput=true, outputBytes=8];"
                                          " x -> a; a -> x; x [flops=2]; }",
                                          "made.dot");
        QCOMPARE(read.graph->opCount(), 1);
        QCOMPARE(read.graph->inputs().at(0).bytes, std::int64_t{8});
        QCOMPARE(read.graph->uses(0).size(), std::size_t{1});
        QCOMPARE(read.report.notes,
                 std::vector<std::string>{"1 dependency of a graph input on something: dropped"});
    }

    void saysWhatAFormatCannotHold() {
        const auto units = pairOfOps(graph::FileCostUnit::Units);
        QCOMPARE(lossNotes(*units, "json"), std::vector<std::string>{});
        QCOMPARE(lossNotes(*units, "dot"), std::vector<std::string>{});
        QCOMPARE(
            lossNotes(*units, "txt"),
            (std::vector<std::string>{"txt does not hold the work and sizes of 2 ops",
                                      "txt does not hold the names, groups and details of 2 ops"}));
        const std::vector<std::string> times =
            lossNotes(*pairOfOps(graph::FileCostUnit::NanosecondsAndBytes), "txt");
        QCOMPARE(times.at(0), std::string("txt does not hold times: nanoseconds become units"));
        QCOMPARE(times.at(1), std::string("txt does not hold the bytes over 1 edge (their "
                                          "transfers become free)"));
        graph::GraphBuilder builder("read");
        builder.addOp({.name = "a"});
        builder.addInputUse(builder.addInput({.name = "x", .bytes = 8}), 0);
        const auto reader = builder.build();
        QCOMPARE(lossNotes(*reader, "graphml"), std::vector<std::string>{});
        QCOMPARE(lossNotes(*reader, "txt").back(),
                 std::string("txt does not hold the sizes and readers of 1 graph input"));
        builder.addOp({.name = "bell \a"});
        QCOMPARE(
            lossNotes(*builder.build(), "dot"),
            std::vector<std::string>{"dot does not hold control characters in the texts of 1 op"});
    }

    void opsBecomeRows() {
        QCOMPARE(writeOpCsv(*pairOfOps(graph::FileCostUnit::Units)),
                 std::string("op,name,kind,operator,group,shape,dtype,flops,output_bytes,"
                             "bytes_touched,estimated,compute_units,transfer_units\n"
                             "0,\"a, \"\"first\"\"\",contraction,matmul,layer 1,64x128,f32,1000,"
                             "32768,32768,no,30,0\n"
                             "1,last,elementwise,relu,,,,0,5,32773,no,30,0\n"));
    }

    void intervalsBecomeRows() {
        const auto pair = problem();
        const sim::Timeline timeline = sim::simulate(pair, {0, 1});
        const QStringList rows =
            QString::fromStdString(writeIntervalCsv(*pair, timeline)).split(QLatin1Char('\n'));
        QCOMPARE(rows.size(), qsizetype(timeline.intervals.size()) + 2); // titles, last line feed
        QVERIFY(rows[0].endsWith(QStringLiteral(",ready_units,start_units,end_units,cause")));
        QCOMPARE(rows[1], QStringLiteral("op,0,\"a, \"\"first\"\"\",Device 0,,0,0,0,30,nothing"));
        QVERIFY2(rows[2].startsWith(QStringLiteral("transfer,0,\"a, \"\"first\"\"\",Device 0,"
                                                   "Device 1,,30,30,")),
                 qPrintable(rows[2]));
    }

    void intervalsNameTheRuntime() {
        const auto pair = problem();
        const std::string text = writeIntervalCsv(*pair, sim::simulate(pair, {0, 1}),
                                                  {.runtime = "emulated", .emulated = true});
        const QStringList rows = QString::fromStdString(text).split(QLatin1Char('\n'));
        QVERIFY(rows[0].endsWith(QStringLiteral(",cause,runtime")));
        QVERIFY(rows[1].endsWith(QStringLiteral(",nothing,emulated")));
    }

    void deviceMapComesBack() {
        const auto pair = problem();
        const std::string map = writeDeviceMap({1, 0}, *pair->graph, *pair->cluster);
        QVERIFY2(map.find("\"last\": \"Device 0\"") != std::string::npos, map.c_str());
        QCOMPARE(parseAssignment(map, "copy", *pair->graph, *pair->cluster),
                 (sim::Assignment{1, 0}));
    }

    void deviceMapNeedsUniqueNames() {
        graph::GraphBuilder builder("twins");
        builder.addOp({.name = "same"});
        builder.addOp({.name = "same"});
        const auto graph = builder.build();
        QVERIFY_EXCEPTION_THROWN(writeDeviceMap({0, 0}, *graph, cluster::uniformCluster(1)),
                                 InputError);
        QVERIFY_EXCEPTION_THROWN(checkDeviceMap(*graph), InputError);
        checkDeviceMap(*problem()->graph); // throws nothing
    }
};

QTEST_GUILESS_MAIN(TestWriters)
#include "TestWriters.moc"
