#include <QTest>

#include "core/graph/InputError.h"
#include "core/graph/Topology.h"
#include "core/io/Formats.h"
#include "tests/support/SharedData.h"

using namespace doppler;
using namespace doppler::io;
using graph::OpKind;

namespace {

// Two graph inputs and four ops: a product of two parts, their sum, and what is done with it.
constexpr const char* kTyped = "6\n"
                               "0, 3,\n"
                               "0, 1, 2,\n"
                               "2, 2, 3,\n"
                               "1000,4000,einsummable\n"
                               "1000,4000,einsummable\n"
                               "100,400,formation\n"
                               "100,400,einsummable\n";

std::filesystem::path publishedGraph(const QString& name) {
    return tests::sharedPath(QStringLiteral("graphs/doppler/") + name).toStdString();
}

int countKind(const graph::Graph& graph, OpKind kind) {
    int count = 0;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        count += graph.kind(op) == kind ? 1 : 0;
    }
    return count;
}

} // namespace

class TestGraphText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsKindsCostsAndInputs() {
        const ReadGraph read = parseGraph(kTyped, "folder/small.txt");
        QCOMPARE(read.format, std::string("paper text"));
        const graph::Graph& graph = *read.graph;
        QCOMPARE(graph.name(), std::string("small"));
        QCOMPARE(graph.opCount(), 4);
        QCOMPARE(graph.edgeCount(), 3);
        QCOMPARE(graph.inputCount(), 2);
        QCOMPARE(graph.inputs()[1].name, std::string("input 3"));
        QCOMPARE(graph.fileCompute(2), 100);
        QCOMPARE(graph.fileTransfer(0), 4000);
        QCOMPARE(graph.kind(0), OpKind::Contraction);
        QCOMPARE(graph.kind(2), OpKind::Formation);
        QCOMPARE(graph.kind(3), OpKind::Elementwise);
        QCOMPARE(graph.kindName(0), std::string_view("einsummable"));
        QCOMPARE(graph.opName(3), std::string("einsummable 3"));
    }

    void acceptsWindowsLinesAndTrailingBlankLines() {
        QString text = QString::fromLatin1(kTyped);
        text.replace(QLatin1Char('\n'), QStringLiteral("\r\n"));
        const ReadGraph read =
            parseGraphText((text + QStringLiteral("\r\n \r\n")).toStdString(), "small.txt");
        QCOMPARE(writeGraphText(*read.graph),
                 writeGraphText(*parseGraphText(kTyped, "small.txt").graph));
    }

    void keepsCostsOf64Bits() {
        const ReadGraph read = parseGraphText("1\n\n\n\n9223372036854775807,0\n", "big");
        QCOMPARE(read.graph->fileCompute(0), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(read.graph->kind(0), OpKind::Other);
        QCOMPARE(read.graph->opName(0), std::string("op 0"));
    }

    void reportsMergedEdges() {
        const ReadGraph read = parseGraphText("2\n\n0,0\n1,1\n1,1\n1,1\n", "twice");
        QCOMPARE(read.graph->edgeCount(), 1);
        QCOMPARE(read.graph->multiplicity(0), 2);
        QCOMPARE(read.report.notes, std::vector<std::string>{"1 duplicate edge merged"});
    }

    void opensEveryPublishedGraph_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("edges");
        QTest::addColumn<int>("inputs");
        QTest::addColumn<int>("depth"); // 0: the untyped twin, whose second edge is mistyped
        QTest::addColumn<qint64>("compute");
        QTest::newRow("chain_mm_112nodes.txt") << 76 << 80 << 36 << 0 << qint64{48002800000000};
        QTest::newRow("gdp_chain_mm_112nodes.txt") << 76 << 80 << 36 << 5 << qint64{48002800000000};
        QTest::newRow("ffnn_192nodes.txt") << 180 << 208 << 12 << 12 << qint64{2267831861248};
        QTest::newRow("gdp_ffnn_192nodes.txt") << 180 << 208 << 12 << 12 << qint64{2267831861248};
        QTest::newRow("transformer_block_215nodes.txt")
            << 182 << 234 << 33 << 0 << qint64{3886778191872};
        QTest::newRow("gdp_transformer_block_215nodes.txt")
            << 182 << 234 << 33 << 49 << qint64{3886778191872};
        QTest::newRow("full_transformer_layer_261nodes.txt")
            << 229 << 284 << 32 << 0 << qint64{3889769690112};
        QTest::newRow("gdp_full_transformer_layer_261nodes.txt")
            << 229 << 284 << 32 << 63 << qint64{3889769690112};
        QTest::newRow("8gpu_transformer_block.txt")
            << 302 << 398 << 54 << 49 << qint64{7772230959104};
        QTest::newRow("8gpu_full_transformer.txt")
            << 367 << 470 << 50 << 63 << qint64{7778564909056};
    }

    void opensEveryPublishedGraph() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        QFETCH(int, nodes);
        QFETCH(int, edges);
        QFETCH(int, inputs);
        QFETCH(int, depth);
        QFETCH(qint64, compute);
        const auto path = publishedGraph(QString::fromLatin1(QTest::currentDataTag()));
        const ReadGraph read = readGraphFile(path);
        const graph::GraphFacts facts = graph::graphFacts(*read.graph);
        QCOMPARE(facts.nodes, nodes);
        QCOMPARE(facts.edges, edges);
        QCOMPARE(facts.inputs, inputs);
        QCOMPARE(qint64{facts.fileCompute}, compute);
        if (depth > 0) {
            QCOMPARE(facts.depth, depth);
        }
        QVERIFY(read.report.notes.empty());

        // Same tokens when written again, whatever the blanks.
        const auto tokens = [](const std::string& text) {
            return QString::fromStdString(text)
                .remove(QLatin1Char(' '))
                .replace(QStringLiteral(",\n"), QStringLiteral("\n"))
                .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        };
        QCOMPARE(tokens(writeGraphText(*read.graph)), tokens(readFile(path)));
    }

    void tellsContractionsFromOtherEinsums_data() {
        QTest::addColumn<int>("contractions");
        QTest::addColumn<int>("reductions");
        QTest::newRow("gdp_chain_mm_112nodes.txt") << 48 << 0;
        QTest::newRow("gdp_ffnn_192nodes.txt") << 32 << 32;
        QTest::newRow("gdp_transformer_block_215nodes.txt") << 36 << 14;
        QTest::newRow("gdp_full_transformer_layer_261nodes.txt") << 40 << 16;
    }

    void tellsContractionsFromOtherEinsums() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        QFETCH(int, contractions);
        QFETCH(int, reductions);
        const ReadGraph read =
            readGraphFile(publishedGraph(QString::fromLatin1(QTest::currentDataTag())));
        QCOMPARE(countKind(*read.graph, OpKind::Contraction), contractions);
        QCOMPARE(countKind(*read.graph, OpKind::Reduction), reductions);
    }
};

QTEST_GUILESS_MAIN(TestGraphText)
#include "TestGraphText.moc"
