#include <QTest>

#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/graph/Topology.h"

using namespace doppler;
using namespace doppler::graph;

class TestGraphBuilder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsFileOrderWithinASource() {
        GraphBuilder builder;
        for (int i = 0; i < 4; ++i) {
            builder.addOp({});
        }
        builder.addEdge(1, 3);
        builder.addEdge(0, 3);
        builder.addEdge(0, 2);
        const auto graph = builder.build();
        QCOMPARE(graph->edgeCount(), 3);
        QCOMPARE(graph->target(graph->firstOutEdge(0)), 3);
        QCOMPARE(graph->target(graph->firstOutEdge(0) + 1), 2);
        QCOMPARE(graph->inDegree(3), 2);
    }

    void mergesParallelEdgesAndCountsThem() {
        GraphBuilder builder;
        builder.addOp({});
        builder.addOp({});
        builder.addEdge(0, 1, 0);
        builder.addEdge(0, 1, 1);
        const auto graph = builder.build();
        QCOMPARE(builder.mergedEdges(), 1);
        QCOMPARE(graph->edgeCount(), 1);
        QCOMPARE(graph->multiplicity(0), 2);
        QCOMPARE(graph->uses(1).size(), std::size_t{2});
    }

    void namesACycle() {
        GraphBuilder builder;
        for (const char* name : {"free", "a", "b", "c"}) {
            builder.addOp({.name = name});
        }
        builder.addEdge(0, 1);
        builder.addEdge(1, 2);
        builder.addEdge(2, 3);
        builder.addEdge(3, 1);
        try {
            builder.build();
            QFAIL("a cycle was accepted");
        } catch (const InputError& error) {
            const std::string text = error.what();
            QVERIFY2(text.find("\"a\" -> \"b\" -> \"c\" -> \"a\"") != std::string::npos ||
                         text.find("\"b\" -> \"c\" -> \"a\" -> \"b\"") != std::string::npos ||
                         text.find("\"c\" -> \"a\" -> \"b\" -> \"c\"") != std::string::npos,
                     text.c_str());
        }
    }

    void refusesBadInput_data() {
        QTest::addColumn<int>("source");
        QTest::addColumn<int>("target");
        QTest::newRow("self edge") << 0 << 0;
        QTest::newRow("negative id") << -1 << 0;
        QTest::newRow("id too large") << 0 << 2;
    }

    void refusesBadInput() {
        QFETCH(int, source);
        QFETCH(int, target);
        GraphBuilder builder;
        builder.addOp({});
        builder.addOp({});
        builder.addEdge(source, target);
        QVERIFY_EXCEPTION_THROWN(builder.build(), InputError);
    }

    void countsUnusedOps() {
        GraphBuilder builder;
        for (int i = 0; i < 4; ++i) {
            builder.addOp({});
        }
        builder.addEdge(0, 1);
        builder.addEdge(2, 3);
        builder.markOutput(1);
        const auto graph = builder.build();
        QCOMPARE(unusedOps(*graph), (std::vector<OpId>{2, 3}));
        const GraphFacts facts = graphFacts(*graph);
        QCOMPARE(facts.components, 2);
        QCOMPARE(facts.depth, 2);
        QCOMPARE(facts.unusedOps, 2);
    }

    void keepsDetails() {
        GraphBuilder builder;
        builder.addOp({.detail = "block 2,1,0"});
        builder.addOp({});
        const auto graph = builder.build();
        QCOMPARE(std::string(graph->detail(0)), std::string("block 2,1,0"));
        QVERIFY(graph->detail(1).empty());
    }

    void emptyGraphIsLegal() {
        const auto graph = GraphBuilder().build();
        QCOMPARE(graph->opCount(), 0);
        QCOMPARE(graphFacts(*graph).depth, 0);
    }
};

QTEST_GUILESS_MAIN(TestGraphBuilder)
#include "TestGraphBuilder.moc"
