#include <QTest>

#include <random>

#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/workload/Workload.h"
#include "tests/support/SameGraph.h"
#include "tests/support/SharedData.h"

using namespace doppler;
using namespace doppler::io;
using graph::GraphBuilder;

namespace {

/// Which parts of a graph a generated one has; each test row is one combination.
struct Features {
    bool names = false;
    bool costs = false;
    bool inputs = false;
    bool operands = false;
    bool payload = false;
    bool repeats = false;
};

std::shared_ptr<const graph::Graph> randomGraph(unsigned seed, const Features& features) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    GraphBuilder builder("random \"" + std::to_string(seed) + "\" \xC3\xA9");
    if (features.costs) {
        builder.setFileCostUnit(seed % 2 == 0 ? graph::FileCostUnit::Units
                                              : graph::FileCostUnit::Nanoseconds);
    }
    if (features.inputs) {
        builder.addInput({"x", {2, 3}, graph::DType::F16, 12, false});
        builder.addInput({"w", {}, graph::DType::Unknown, 1'000'000'000'000, true});
    }
    const int ops = below(30);
    for (int i = 0; i < ops; ++i) {
        graph::OpSpec spec;
        spec.kind = static_cast<graph::OpKind>(below(graph::kOpKindCount));
        spec.flops = below(1000);
        if (features.names && below(4) > 0) {
            spec.name = "op/" + std::to_string(i) + "\n\\";
            spec.kindName = "MatMul";
            spec.detail = "block " + std::to_string(i);
        }
        if (below(2) == 0) {
            spec.shape = {below(5), 7};
            spec.dtype = static_cast<graph::DType>(below(graph::kDTypeCount));
        }
        spec.outputBytes = below(3) - 1;
        spec.bytesTouched = below(3) - 1;
        spec.costEstimated = features.names && below(3) == 0;
        spec.pinnedDevice = features.names && below(3) == 0 ? below(4) : kNoDevice;
        spec.group = features.names && below(3) > 0 ? "layer " + std::to_string(below(3)) : "";
        spec.fileCompute = features.costs ? below(100) : 0;
        spec.fileTransfer = features.costs ? below(100) : 0;
        builder.addOp(spec);
    }
    const int edges = ops < 2 ? 0 : below(4 * ops);
    for (int i = 0; i < edges; ++i) {
        const int target = 1 + below(ops - 1);
        const int operand = features.operands ? below(3) : -1;
        const int repeats = features.repeats && below(5) == 0 ? 2 : 1;
        const int source = below(target);
        for (int k = 0; k < repeats; ++k) {
            builder.addEdge(source, target, operand, features.payload ? below(50) : -1,
                            features.payload && features.costs ? below(50) : -1);
        }
        if (features.inputs && below(3) == 0) {
            builder.addInputUse(below(2), target, operand);
        }
    }
    if (ops > 0 && below(2) == 0) {
        builder.markOutput(below(ops));
    }
    return builder.build();
}

void verifyRoundTrip(const graph::Graph& graph) {
    const std::string text = writeGraphJson(graph);
    const ReadGraph again = parseGraph(text, "copy.json");
    QCOMPARE(again.format, std::string("doppler-graph/1"));
    const std::string difference = tests::firstDifference(graph, *again.graph);
    QVERIFY2(difference.empty(), (difference + "\n" + text).c_str());
    QCOMPARE(writeGraphJson(*again.graph), text);
}

} // namespace

class TestGraphJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsEverythingOfGeneratedGraphs() {
        for (unsigned seed = 0; seed < 400; ++seed) {
            const auto bit = [&](unsigned i) { return (seed >> i & 1U) != 0; };
            const auto graph = randomGraph(seed, {bit(0), bit(1), bit(2), bit(3), bit(4), bit(5)});
            verifyRoundTrip(*graph);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
    }

    void keepsWorkloads_data() {
        QTest::addColumn<QString>("workload");
        for (const char* workload : {"chainmm", "ffnn", "random"}) {
            QTest::newRow(workload) << QString::fromLatin1(workload);
        }
    }

    void keepsWorkloads() {
        QFETCH(QString, workload);
        const std::string name = workload.toStdString();
        verifyRoundTrip(*workload::generate(std::string_view(name)));
    }

    void opsMayBeMeantByName() {
        const auto read = parseGraphJson(R"({
            "format": "doppler-graph/1", "name": "named",
            "ops": [{"name": "a", "kind": "fill"}, {"name": "b", "operator": "Gelu"}, {}],
            "edges": [["a", "b"], [1, 2, 3], {"from": "a", "to": 2, "operand": 0, "bytes": 7}],
            "outputs": ["b", 2]})",
                                         "test");
        QCOMPARE(read.graph->edgeCount(), 3);
        QCOMPARE(read.graph->target(0), 1);
        QCOMPARE(read.graph->kindName(1), std::string_view("Gelu"));
        QCOMPARE(read.graph->uses(2)[1].operand, 3);
        QCOMPARE(read.graph->edgeBytes(1), 7);
        QCOMPARE(read.graph->outputs(), (std::vector<OpId>{1, 2}));
        QVERIFY(!read.graph->hasFileCosts());
    }

    void keepsPublishedGraphs() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        verifyRoundTrip(
            *readGraphFile(tests::sharedPath(
                               QStringLiteral("graphs/doppler/gdp_transformer_block_215nodes.txt"))
                               .toStdString())
                 .graph);
    }
};

QTEST_GUILESS_MAIN(TestGraphJson)
#include "TestGraphJson.moc"
