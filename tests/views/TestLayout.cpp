#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/graph/GraphBuilder.h"
#include "core/graph/Topology.h"
#include "core/workload/Workload.h"
#include "views/layout/DotLayout.h"
#include "views/layout/LayeredLayout.h"
#include "views/layout/LayoutFile.h"
#include "views/layout/LayoutLibrary.h"
#include "views/layout/Separate.h"

using namespace doppler;
using namespace doppler::views;

namespace {

constexpr double kTouch = 1.5; // dot states places with few digits

bool overlaps(const GraphLayout& layout) {
    std::vector<OpId> ops(static_cast<std::size_t>(layout.opCount()));
    for (OpId op = 0; op < layout.opCount(); ++op) {
        ops[static_cast<std::size_t>(op)] = op;
    }
    std::sort(ops.begin(), ops.end(),
              [&](OpId a, OpId b) { return layout.centre(a).x() < layout.centre(b).x(); });
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const QRectF rect = layout.nodeRect(ops[i]).adjusted(0.5, 0.5, -0.5, -0.5);
        for (std::size_t j = i + 1; j < ops.size(); ++j) {
            if (layout.centre(ops[j]).x() - layout.centre(ops[i]).x() > kNodeWidth) {
                break;
            }
            if (rect.intersects(layout.nodeRect(ops[j]))) {
                return true;
            }
        }
    }
    return false;
}

/// The first edge that does not run from its producer to its consumer, or -1.
EdgeId looseEdge(const graph::Graph& graph, const GraphLayout& layout) {
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        const auto curve = layout.curve(edge);
        const auto touches = [&](OpId op, const QPointF& point) {
            return layout.nodeRect(op).adjusted(-kTouch, -kTouch, kTouch, kTouch).contains(point);
        };
        if (curve.size() < 4 || curve.size() % 3 != 1 ||
            !touches(graph.source(edge), curve.front()) ||
            !touches(graph.target(edge), curve.back())) {
            return edge;
        }
    }
    return kNoEdge;
}

std::shared_ptr<const graph::Graph> chain(int ops) {
    graph::GraphBuilder builder;
    for (int i = 0; i < ops; ++i) {
        builder.addOp({});
        if (i > 0) {
            builder.addEdge(i - 1, i);
        }
    }
    return builder.build();
}

} // namespace

class TestLayout : public QObject {
    Q_OBJECT

private:
    static void graphs() {
        QTest::addColumn<QString>("workload");
        for (const char* name : {"chainmm", "ffnn", "llama-block", "random"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }

private Q_SLOTS:
    void layeredPlacesNodesApartAndEdgesBetweenThem_data() { graphs(); }
    void layeredPlacesNodesApartAndEdgesBetweenThem() {
        QFETCH(QString, workload);
        const auto graph = workload::generate(workload.toStdString());
        const auto layout = layeredLayout(*graph);
        QCOMPARE(layout->opCount(), graph->opCount());
        QCOMPARE(layout->edgeCount(), graph->edgeCount());
        QVERIFY(!overlaps(*layout));
        QCOMPARE(looseEdge(*graph, *layout), kNoEdge);
        for (EdgeId edge = 0; edge < graph->edgeCount(); ++edge) { // the flow has one direction
            const QPointF step =
                layout->centre(graph->target(edge)) - layout->centre(graph->source(edge));
            QVERIFY((layout->leftToRight ? step.x() : step.y()) > 0);
        }
    }

    void dotPlacesNodesApartAndEdgesBetweenThem_data() { graphs(); }
    void dotPlacesNodesApartAndEdgesBetweenThem() {
        QFETCH(QString, workload);
        const auto graph = workload::generate(workload.toStdString());
        const DotResult result = dotLayout(*graph, layoutShape(*graph));
        QVERIFY2(result.layout, qPrintable(result.error));
        QVERIFY(!overlaps(*result.layout));
        QCOMPARE(looseEdge(*graph, *result.layout), kNoEdge);
        bool curved = false;
        for (EdgeId edge = 0; edge < graph->edgeCount() && !curved; ++edge) {
            curved = result.layout->curve(edge).size() > 4;
        }
        QVERIFY(curved);
    }

    void deepGraphsRunRight() {
        QVERIFY(layoutShape(*chain(60)).leftToRight);
        QVERIFY(!layoutShape(*workload::generate("chainmm")).leftToRight);
        QVERIFY(layoutShape(*workload::generate("llama-block")).leftToRight);
    }

    void manyLooseOpsFoldIntoRows() {
        graph::GraphBuilder builder;
        for (int i = 0; i < 400; ++i) {
            builder.addOp({});
        }
        const auto graph = builder.build();
        const auto layout = layeredLayout(*graph);
        QVERIFY(!overlaps(*layout));
        const double aspect = layout->bounds.width() / layout->bounds.height();
        QVERIFY2(aspect > 1 && aspect < 6, qPrintable(QString::number(aspect)));
        QVERIFY(!LayoutLibrary::suitsGraphviz(*graph));
    }

    void longStripsFoldIntoBands() {
        const auto graph = workload::generate("llama-block:layers=10,size=tiny");
        const LayoutShape shape = layoutShape(*graph);
        QVERIFY(shape.leftToRight);
        QVERIFY(shape.bands.size() > 2);
        QVERIFY(!LayoutLibrary::suitsGraphviz(*graph));
        const auto layout = layeredLayout(*graph);
        QVERIFY(!overlaps(*layout));
        QCOMPARE(looseEdge(*graph, *layout), kNoEdge);
        const double aspect = layout->bounds.width() / layout->bounds.height();
        QVERIFY2(aspect > kTargetAspect / 2 && aspect < kTargetAspect * 2,
                 qPrintable(QString::number(aspect)));
        // Bands follow each other like lines of text, and within one consumers are to the right.
        for (EdgeId edge = 0; edge < graph->edgeCount(); ++edge) {
            const QPointF from = layout->centre(graph->source(edge));
            const QPointF to = layout->centre(graph->target(edge));
            const int skipped =
                shape.bandOf(shape.level[static_cast<std::size_t>(graph->target(edge))]) -
                shape.bandOf(shape.level[static_cast<std::size_t>(graph->source(edge))]);
            QVERIFY(skipped >= 0);
            QVERIFY(skipped == 0 ? to.x() > from.x() : to.y() > from.y());
        }
    }

    void publishedGraphsDoNotFold_data() {
        QTest::addColumn<QString>("workload");
        for (const char* name : {"chainmm", "ffnn", "llama-block", "llama-block:devices=8",
                                 "llama-layer", "llama-layer:devices=8"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }
    void publishedGraphsDoNotFold() {
        QFETCH(QString, workload);
        QVERIFY(LayoutLibrary::suitsGraphviz(*workload::generate(workload.toStdString())));
    }

    void emptyAndSingle() {
        const auto empty = graph::GraphBuilder().build();
        QCOMPARE(layeredLayout(*empty)->opCount(), 0);
        const auto one = chain(1);
        QCOMPARE(layeredLayout(*one)->bounds.size(), QSizeF(kNodeWidth, kNodeHeight));
    }

    void largeGraphsKeepTheirNodesApart() {
        const auto graph = workload::generate("random:ops=20000");
        QVERIFY(!LayoutLibrary::suitsGraphviz(*graph));
        const auto layout = layeredLayout(*graph);
        QVERIFY(!overlaps(*layout));
        QCOMPARE(looseEdge(*graph, *layout), kNoEdge);
    }

    void cancelledLayoutIsNull() {
        std::stop_source stop;
        stop.request_stop();
        const auto graph = workload::generate("chainmm");
        QVERIFY(!layeredLayout(*graph, stop.get_token()));
        QVERIFY(!dotLayout(*graph, layoutShape(*graph), stop.get_token()).layout);
    }

    void missingDotFallsBackAndSaysSo() {
        LayoutLibrary library({}, QStringLiteral("no-such-dot-program"));
        const auto graph = workload::generate("chainmm");
        const LayoutLibrary::Result result = library.best(*graph);
        QVERIFY(result.layout);
        QCOMPARE(result.layout->engine, LayoutEngine::Layered);
        QVERIFY2(result.note.contains(QStringLiteral("no-such-dot-program")),
                 qPrintable(result.note));
    }

    void brokenAnswersAreRefused() {
        const auto graph = chain(2);
        const LayoutShape shape = layoutShape(*graph);
        const QByteArray good = "graph 1 1 2\nnode 0 0.5 1.5 0.36 0.44 \"\" solid box black grey\n"
                                "node 1 0.5 0.5 0.36 0.44 \"\" solid box black grey\n"
                                "edge 0 1 4 0.5 1.3 0.5 1.1 0.5 0.9 0.5 0.7 solid black\nstop\n";
        const auto layout = parsePlain(good, *graph, shape);
        QVERIFY(layout);
        QCOMPARE(layout->centre(0), QPointF(36, 36));
        QCOMPARE(layout->curve(0).size(), std::size_t{4});
        for (const char* change : {"node 1", "edge 0 1 4", "0.5 0.7", "1.5"}) {
            QByteArray bad = good;
            bad.replace(change, "nonsense");
            QVERIFY2(!parsePlain(bad, *graph, shape), change);
        }
    }

    void keepsLayoutsOnDisk() {
        const QTemporaryDir folder;
        const auto graph = workload::generate("chainmm");
        QVERIFY(!LayoutLibrary(folder.path()).kept(*graph));
        const auto made = LayoutLibrary(folder.path()).best(*graph).layout;
        const auto kept = LayoutLibrary(folder.path()).kept(*graph);
        QVERIFY(kept);
        QCOMPARE(kept->engine, LayoutEngine::Dot);
        QCOMPARE(kept->curvePoints.size(), made->curvePoints.size());
        QVERIFY((kept->centre(75) - made->centre(75)).manhattanLength() < 0.01);
        // Another graph has another key.
        QVERIFY(!LayoutLibrary(folder.path()).kept(*workload::generate("ffnn")));
    }

    void damagedCacheFilesAreIgnored() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.layout"));
        const auto graph = workload::generate("chainmm");
        writeLayoutFile(path, *layeredLayout(*graph));
        QVERIFY(readLayoutFile(path, graph->opCount(), graph->edgeCount()));
        QVERIFY(!readLayoutFile(path, graph->opCount() + 1, graph->edgeCount()));
        QFile file(path);
        QVERIFY(file.resize(file.size() / 2));
        QVERIFY(!readLayoutFile(path, graph->opCount(), graph->edgeCount()));
        QVERIFY(!readLayoutFile(folder.filePath(QStringLiteral("none")), 1, 0));
    }

    void separationKeepsOrderAndWishes() {
        std::vector<double> positions;
        const std::vector<LineBox> boxes{{0, 1, 5}, {0, 1, 5}, {100, 1, 5}};
        separate(boxes, positions);
        QCOMPARE(positions, (std::vector<double>{-5, 5, 100}));
        const std::vector<LineBox> heavy{{0, 3, 5}, {0, 1, 5}};
        separate(heavy, positions);
        QCOMPARE(positions, (std::vector<double>{-2.5, 7.5}));
    }
};

QTEST_GUILESS_MAIN(TestLayout)
#include "TestLayout.moc"
