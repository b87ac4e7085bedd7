#include <QTest>

#include "core/graph/Topology.h"
#include "core/workload/Splitter.h"
#include "core/workload/Workload.h"

using namespace doppler;
using namespace doppler::workload;

/// Whole programs against closed formulas, and blocks against whole programs.
class TestWorkloadFormulas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void llamaMultiplyAdds_data() {
        QTest::addColumn<qint64>("layers");
        QTest::addColumn<qint64>("batch");
        QTest::addColumn<qint64>("seq");
        QTest::addColumn<qint64>("hidden");
        QTest::addColumn<qint64>("heads");
        QTest::addColumn<qint64>("ffn");
        QTest::addColumn<qint64>("vocab");
        QTest::newRow("7B") << 1LL << 1LL << 4096LL << 4096LL << 32LL << 11008LL << 32000LL;
        QTest::newRow("7B, whole") << 32LL << 1LL << 2048LL << 4096LL << 32LL << 11008LL << 32000LL;
        QTest::newRow("small") << 3LL << 2LL << 64LL << 96LL << 12LL << 200LL << 100LL;
    }

    // Per block: four projections, scores and their use, three feed-forward products.
    void llamaMultiplyAdds() {
        QFETCH(qint64, layers);
        QFETCH(qint64, batch);
        QFETCH(qint64, seq);
        QFETCH(qint64, hidden);
        QFETCH(qint64, heads);
        QFETCH(qint64, ffn);
        QFETCH(qint64, vocab);
        const Parameters parameters{
            {"layers", std::to_string(layers)}, {"batch", std::to_string(batch)},
            {"seq", std::to_string(seq)},       {"hidden", std::to_string(hidden)},
            {"heads", std::to_string(heads)},   {"ffn", std::to_string(ffn)}};
        const qint64 block =
            batch * (4 * seq * hidden * hidden + 2 * seq * seq * hidden + 3 * seq * hidden * ffn);
        for (const char* devices : {"4", "8"}) {
            Parameters given = parameters;
            given["devices"] = devices;
            const auto blocks = generateProgram("llama-block", given);
            QCOMPARE(qint64{blocks->program.multiplyAdds()}, layers * block);
            given["vocab"] = std::to_string(vocab);
            const auto model = generateProgram("llama-layer", given);
            QCOMPARE(qint64{model->program.multiplyAdds()},
                     layers * block + batch * hidden * vocab);
        }
    }

    void manyLayersMakeALargeGraph() {
        const auto graph = generate("llama-layer:layers=40,devices=8");
        QVERIFY(graph->opCount() > 10000);
        const auto& groups = graph->groupNames();
        QVERIFY(std::ranges::find(groups, "layer 40/softmax") != groups.end());
        QVERIFY(std::ranges::find(groups, "final norm") != groups.end());
    }

    void blocksSumToTheWhole_data() {
        QTest::addColumn<QString>("workload");
        for (const WorkloadInfo& info : workloads()) {
            if (info.executable) {
                QTest::newRow(info.name.c_str()) << QString::fromStdString(info.name);
            }
        }
    }

    void blocksSumToTheWhole() {
        QFETCH(QString, workload);
        const auto split = generateProgram(workload.toStdString());
        const graph::Graph& graph = *split->graph;
        std::int64_t flops = 0;
        for (OpId op = 0; op < graph.opCount(); ++op) {
            const bool contraction = graph.kind(op) == graph::OpKind::Contraction ||
                                     graph.kind(op) == graph::OpKind::Convolution;
            flops += contraction ? graph.flops(op) : 0;
            QVERIFY(graph.flops(op) > 0);
            QVERIFY(graph.outputBytes(op) > 0);
            QVERIFY(graph.bytesTouched(op) >= graph.outputBytes(op));
        }
        QCOMPARE(flops, 2 * split->program.multiplyAdds());
    }
};

QTEST_GUILESS_MAIN(TestWorkloadFormulas)
#include "TestWorkloadFormulas.moc"
