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

    // Each layer and step: products with input and hidden state, four gates; each step the
    // vocabulary. Backward: every product twice again, but for the gradient of the initial state.
    void languageModelMultiplyAdds() {
        const qint64 batch = 64;
        const qint64 steps = 40;
        const qint64 hidden = 2048;
        const qint64 layers = 2;
        const qint64 words = 10000;
        const qint64 product = batch * hidden * 4 * hidden;
        const qint64 forward = steps * (layers * 2 * product + batch * hidden * words);
        QCOMPARE(qint64{generateProgram("rnnlm")->program.multiplyAdds()}, forward);
        QCOMPARE(qint64{generateProgram("rnnlm:training=true")->program.multiplyAdds()},
                 3 * forward - layers * product);
    }

    void translationMultiplyAdds() {
        const qint64 batch = 8;
        const qint64 source = 5;
        const qint64 target = 7;
        const qint64 hidden = 32;
        const qint64 layers = 3;
        const qint64 words = 100;
        const qint64 product = batch * hidden * 4 * hidden;
        const qint64 encoder = source * layers * 2 * product;
        // The first decoder layer reads word and context.
        const qint64 decoder = target * (layers * 2 + 1) * product;
        const qint64 keys = source * batch * hidden * hidden;
        const qint64 attention = target * (batch * hidden * hidden + 2 * batch * source * hidden);
        const qint64 forward =
            encoder + decoder + keys + attention + target * batch * hidden * words;
        const Parameters parameters{{"batch", "8"},   {"source", "5"}, {"target", "7"},
                                    {"hidden", "32"}, {"layers", "3"}, {"vocab", "100"}};
        QCOMPARE(qint64{generateProgram("nmt", parameters)->program.multiplyAdds()}, forward);
        Parameters training = parameters;
        training["training"] = "true";
        QCOMPARE(qint64{generateProgram("nmt", training)->program.multiplyAdds()},
                 3 * forward - layers * product);
    }

    // The numbers that everyone reports for the network without its auxiliary classifier.
    void inceptionIsTheNetworkOfThePaper() {
        const auto split = generateProgram("inception-v3:batch=1");
        const double multiplyAdds = double(split->program.multiplyAdds());
        QVERIFY2(multiplyAdds > 5.70e9 && multiplyAdds < 5.73e9,
                 qPrintable(QString::number(multiplyAdds)));
        std::int64_t weights = 0;
        int convolutions = 0;
        for (const Tensor& tensor : split->program.tensors) {
            weights += tensor.weight ? graph::elementCount(tensor.fullShape) : 0;
            convolutions += tensor.op == TensorOp::Conv2d ? 1 : 0;
        }
        QCOMPARE(weights, std::int64_t{23'834'568});
        QCOMPARE(convolutions, 94);
    }

    // Every product twice again, but for the gradient of the images.
    void inceptionTrainingMultiplyAdds() {
        const auto forward = generateProgram("inception-v3:batch=2");
        const auto training = generateProgram("inception-v3:batch=2,training=true");
        const qint64 first = 2LL * 32 * 149 * 149 * 3 * 3 * 3;
        QCOMPARE(qint64{training->program.multiplyAdds()},
                 3 * forward->program.multiplyAdds() - first);
    }

    // Router on every token, three products on every slot.
    void expertsMultiplyAdds() {
        const qint64 tokens = 4096;
        const qint64 hidden = 4096;
        const qint64 slots = 1280; // 1.25 x 4096 x 2 / 8
        const qint64 forward = tokens * hidden * 8 + 8 * slots * 3 * hidden * 14336;
        QCOMPARE(qint64{generateProgram("moe")->program.multiplyAdds()}, forward);
        QCOMPARE(qint64{generateProgram("moe:training=true")->program.multiplyAdds()}, 3 * forward);
    }

    void trainingReachesEveryWeight_data() {
        QTest::addColumn<QString>("workload");
        for (const WorkloadInfo& info : workloads()) {
            if (std::ranges::any_of(info.parameters, [](const Parameter& parameter) {
                    return parameter.name == "training";
                })) {
                QTest::newRow(info.name.c_str()) << QString::fromStdString(info.name);
            }
        }
    }

    void trainingReachesEveryWeight() {
        QFETCH(QString, workload);
        const auto split =
            generateProgram(workload.toStdString(), {{"size", "tiny"}, {"training", "true"}});
        std::ptrdiff_t weights = 0;
        std::ptrdiff_t updates = 0;
        for (const Tensor& tensor : split->program.tensors) {
            weights += tensor.weight ? 1 : 0;
            updates += tensor.op == TensorOp::Update ? 1 : 0;
        }
        QVERIFY(weights > 0);
        QCOMPARE(updates, weights);
        QVERIFY(graph::unusedOps(*split->graph).empty());
        if (workload != "moe") { // op by op: nothing is cut
            QCOMPARE(split->blocks.size(), split->program.tensors.size());
        }
        const auto forward = generate(workload.toStdString(), {{"size", "tiny"}});
        QVERIFY(split->graph->opCount() > 2 * forward->opCount());
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
