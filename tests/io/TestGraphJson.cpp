#include <QTest>

#include "core/io/Formats.h"
#include "core/workload/Workload.h"
#include "tests/support/RandomGraph.h"
#include "tests/support/SameGraph.h"
#include "tests/support/SharedData.h"

using namespace doppler;
using namespace doppler::io;

namespace {

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
            verifyRoundTrip(*tests::randomGraph(seed));
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
