#include <QTest>
#include <map>

#include "core/graph/FoldedGraph.h"
#include "core/graph/GraphBuilder.h"
#include "core/workload/Workload.h"

using namespace doppler;
using namespace doppler::graph;

namespace {

/// Two layers of a diamond each, and an op on its own before them.
std::shared_ptr<const Graph> twoLayers() {
    GraphBuilder builder("two layers");
    builder.addOp({.outputBytes = 1, .flops = 5, .group = "start"});
    for (const std::string layer : {"layer 1", "layer 2"}) {
        for (const std::string part : {"/norm", "/mix", "/mix", "/sum"}) {
            builder.addOp({.outputBytes = 10, .flops = 100, .group = layer + part});
        }
    }
    builder.addEdge(0, 1);
    for (const OpId first : {1, 5}) {
        builder.addEdge(first, first + 1);
        builder.addEdge(first, first + 2);
        builder.addEdge(first + 1, first + 3);
        builder.addEdge(first + 2, first + 3);
    }
    builder.addEdge(4, 5);
    builder.addEdge(2, 5);
    return builder.build();
}

std::map<std::string, int> topGroups(const std::string& workload) {
    const auto graph = workload::generate(workload);
    const GroupTree tree(*graph);
    std::map<std::string, int> groups;
    for (const std::int32_t child : tree.node(GroupTree::kRoot).children) {
        groups[tree.node(child).name] = tree.node(child).opCount;
    }
    return groups;
}

FoldState collapsed(const Graph& graph) {
    FoldState fold(std::make_shared<const GroupTree>(graph));
    fold.collapseAll();
    return fold;
}

} // namespace

class TestFoldedGraph : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void treeFollowsThePaths() {
        const auto graph = twoLayers();
        const GroupTree tree(*graph);
        const GroupTree::Node& root = tree.node(GroupTree::kRoot);
        QCOMPARE(root.opCount, 9);
        QCOMPARE(root.flops, 805);
        QCOMPARE(root.children.size(), 2U);
        QCOMPARE(root.ops, std::vector<OpId>{0}); // a group of one op is none
        const GroupTree::Node& first = tree.node(root.children[0]);
        QCOMPARE(first.name, "layer 1");
        QCOMPARE(first.opCount, 4);
        QCOMPARE(first.flops, 400);
        QCOMPARE(first.children.size(), 1U);
        QCOMPARE(tree.path(first.children[0]), "layer 1/mix");
        QCOMPARE(tree.groupOf(2), first.children[0]);
        QCOMPARE(tree.groupOf(1), root.children[0]);
        QCOMPARE(tree.opsOf(root.children[1]), (std::vector<OpId>{5, 6, 7, 8}));
        QVERIFY(tree.isWithin(first.children[0], root.children[0]));
        QVERIFY(!tree.isWithin(first.children[0], root.children[1]));
    }

    void groupsBecomeOnePart() {
        const auto graph = twoLayers();
        const FoldedGraph folded(*graph, collapsed(*graph));
        QCOMPARE(folded.parts().size(), 3U);
        QCOMPARE(folded.parts()[0].op, 0);
        QCOMPARE(folded.partOf(1), folded.partOf(4));
        QVERIFY(folded.isAcyclic());
        QCOMPARE(folded.bundles().size(), 2U);
        QCOMPARE(folded.bundles()[1].count, 2);
        QCOMPARE(folded.bundles()[1].bytes, 20);
    }

    void openingOneShowsTheGroupsInIt() {
        const auto graph = twoLayers();
        FoldState fold = collapsed(*graph);
        const std::int32_t first = fold.tree().node(GroupTree::kRoot).children[0];
        fold.setCollapsed(first, false);
        const FoldedGraph folded(*graph, fold);
        // start, norm, mix (two ops), sum, layer 2
        QCOMPARE(folded.parts().size(), 5U);
        QCOMPARE(fold.standIn(2), fold.tree().groupOf(2));
        QCOMPARE(fold.standIn(1), GroupTree::kRoot);
        fold.uncover(2);
        QCOMPARE(fold.standIn(2), GroupTree::kRoot);
        fold.setCollapsed(first, true);
        QCOMPARE(fold.standIn(2), first);
    }

    void cyclesBetweenGroupsAreMarked() {
        GraphBuilder builder("there and back");
        for (const char* group : {"a", "b", "a", "b", "c", "c"}) {
            builder.addOp({.group = group});
        }
        for (OpId op = 0; op + 1 < 6; ++op) {
            builder.addEdge(op, op + 1);
        }
        const auto graph = builder.build();
        const FoldedGraph folded(*graph, collapsed(*graph));
        QVERIFY(!folded.isAcyclic());
        int backward = 0;
        for (const EdgeBundle& bundle : folded.bundles()) {
            backward += bundle.backward ? 1 : 0;
            QVERIFY(bundle.backward == (bundle.source > bundle.target));
        }
        QCOMPARE(backward, 1); // b to a
    }

    void workloadsFoldIntoTheirLayers() {
        const auto llama = topGroups("llama-layer:layers=3,size=tiny");
        QCOMPARE(llama.at("layer 1"), llama.at("layer 3"));
        QVERIFY(llama.count("final norm") == 1 && llama.count("vocabulary") == 1);
        QVERIFY(llama.size() <= 6);
        const auto moe = topGroups("moe:layers=2,size=tiny,training=true");
        QVERIFY(moe.count("layer 2") == 1 && moe.count("layer 2 backward") == 1);
    }

    void everyWorkloadStaysAcyclicWhenCollapsed_data() {
        QTest::addColumn<QString>("workload");
        for (const char* name :
             {"chainmm", "ffnn", "llama-block:layers=3", "llama-layer:layers=3", "moe:layers=2",
              "moe:training=true", "inception-v3", "inception-v3:training=true", "rnnlm",
              "rnnlm:training=true", "nmt", "nmt:training=true"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }
    void everyWorkloadStaysAcyclicWhenCollapsed() {
        QFETCH(QString, workload);
        const char* joint = workload.contains(QLatin1Char(':')) ? "," : ":";
        const auto graph = workload::generate(workload.toStdString() + joint + "size=tiny");
        FoldState fold = collapsed(*graph);
        QVERIFY(fold.tree().hasGroups());
        const FoldedGraph folded(*graph, fold);
        QStringList cycles;
        for (const EdgeBundle& bundle : folded.bundles()) {
            if (bundle.backward) {
                const auto name = [&](std::int32_t part) {
                    const std::int32_t group = folded.parts()[static_cast<std::size_t>(part)].group;
                    return QString::fromStdString(group < 0 ? "op" : fold.tree().path(group));
                };
                cycles.append(name(bundle.source) + " -> " + name(bundle.target));
            }
        }
        QVERIFY2(cycles.isEmpty(), qPrintable(cycles.join("; ")));
    }
};

QTEST_GUILESS_MAIN(TestFoldedGraph)
#include "TestFoldedGraph.moc"
