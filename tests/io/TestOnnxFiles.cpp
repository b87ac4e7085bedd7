#include <QTest>

#include "core/graph/InputError.h"
#include "core/graph/Topology.h"
#include "core/io/Formats.h"
#include "core/io/GraphDimensions.h"
#include "tests/support/SharedData.h"

using namespace doppler;
using namespace doppler::io;

namespace {

std::filesystem::path sharedModel(const char* file) {
    return tests::sharedPath(QStringLiteral("graphs/onnx/") + QString::fromLatin1(file))
        .toStdString();
}

QString reportOf(const ReadGraph& read) {
    QStringList notes;
    for (const std::string& note : read.report.notes) {
        notes << QString::fromStdString(note);
    }
    return notes.join(QStringLiteral("; "));
}

std::int64_t weightBytes(const graph::Graph& graph) {
    std::int64_t bytes = 0;
    for (const graph::GraphInput& input : graph.inputs()) {
        bytes += input.weight ? input.bytes : 0;
    }
    return bytes;
}

std::int64_t flopsOf(const graph::Graph& graph, std::string_view opType) {
    std::int64_t flops = 0;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        flops += graph.kindName(op) == opType ? graph.flops(op) : 0;
    }
    return flops;
}

} // namespace

/// Every public ONNX model opens with its true size, or is refused with the reason.
class TestOnnxFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void opensPublicModels_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("edges");
        QTest::addColumn<qint64>("outputBytes");
        QTest::addColumn<int>("estimated");
        QTest::addColumn<QString>("report"); // part of it; empty: nothing to report

        const auto row = [](const char* file, int nodes, int edges, qint64 outputBytes,
                            int estimated, const char* report) {
            QTest::newRow(file) << nodes << edges << outputBytes << estimated
                                << QString::fromUtf8(report);
        };
        row("burn_branching.onnx", 4, 3, 64, 0, "");
        row("burn_diamond_pattern.onnx", 3, 2, 48, 0, "");
        row("burn_empty_graph.onnx", 0, 0, 0, 0, "1 output that no op makes");
        row("burn_external_data.onnx", 2, 1, 32, 0, "2 weights stored in other files");
        row("burn_if_linear.onnx", 2, 0, 48, 1, "1 op with subgraphs");
        row("burn_loop_nested.onnx", 1, 0, 12, 1, "1 op with subgraphs");
        row("burn_lstm_bidirectional.onnx", 23, 23, 2776, 0, "");
        row("burn_opset_21.onnx", 14, 0, 792, 1, "1 op with subgraphs");
        row("burn_value_info.onnx", 4, 3, 12544, 0, "open dimensions taken as 1: batch = 1");
        row("irpy_torchscript_model.onnx", 1017, 1190, 537720, 0, "");
        row("light_bvlc_alexnet.onnx", 40, 39, 251071712, 0, "");
        row("light_densenet121.onnx", 1746, 1803, 353398336, 0, "");
        row("light_inception_v1.onnx", 237, 263, 68729312, 0, "");
        row("light_resnet50.onnx", 415, 430, 252684768, 0, "1 weight that no op reads");
        row("light_squeezenet.onnx", 105, 112, 33217568, 0, "");
        row("light_vgg19.onnx", 82, 81, 699821536, 0, "");
        row("made_gpt2small_12L_shapes_noweights.onnx", 291, 338, 3609530368, 0,
            "124 weights stored in other files");
        row("made_self_loop.onnx", 1, 0, 4096, 0, "the result of the reading op itself: dropped");
        row("made_undefined_input.onnx", 1, 0, 4096, 0, "(such as \"never_defined\"): left out");
        row("marian_batch_beams_decoder.onnx", 11, 11, 2097376, 0, "");
        row("tiny_gpt2_past_fp32.onnx", 39, 48, 16300, 0, "batch_size = 1, past_seq_len = 1");
    }

    void opensPublicModels() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        QFETCH(int, nodes);
        QFETCH(int, edges);
        QFETCH(qint64, outputBytes);
        QFETCH(int, estimated);
        QFETCH(QString, report);
        const ReadGraph read = readGraphFile(sharedModel(QTest::currentDataTag()));
        const graph::GraphFacts facts = graph::graphFacts(*read.graph);
        QCOMPARE(read.format, std::string("ONNX"));
        QCOMPARE(facts.nodes, nodes);
        QCOMPARE(facts.edges, edges);
        QCOMPARE(qint64{facts.outputBytes}, outputBytes);
        QCOMPARE(facts.estimatedOps, estimated);
        QVERIFY2(reportOf(read).contains(report), qPrintable(reportOf(read)));
        QCOMPARE(report.isEmpty(), read.report.notes.empty());
    }

    void countsTheWorkOfGpt2() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        const auto graph =
            readGraphFile(sharedModel("made_gpt2small_12L_shapes_noweights.onnx")).graph;
        QCOMPARE(flopsOf(*graph, "MatMul"), std::int64_t{291'648'307'200});
        QCOMPARE(weightBytes(*graph), std::int64_t{648'671'232});
        QCOMPARE(graph->groupNames().size(), std::size_t{13}); // 12 layers and the rest
    }

    /// Multiply-adds as published with the networks: AlexNet 0.66 G (without groups), VGG-19
    /// 19.6 G, ResNet-50 4.1 G.
    void countsTheWorkOfConvolutions() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        const auto work = [](const char* file) {
            return graph::graphFacts(*readGraphFile(sharedModel(file)).graph).flops;
        };
        QVERIFY(std::abs(static_cast<double>(work("light_vgg19.onnx")) / 2 - 19.6e9) < 0.1e9);
        QVERIFY(std::abs(static_cast<double>(work("light_resnet50.onnx")) / 2 - 4.1e9) < 0.05e9);
    }

    void openDimensionsScaleTheWork() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        const auto path = sharedModel("tiny_gpt2_past_fp32.onnx");
        QCOMPARE(
            openDimensions(readFile(path)),
            (std::vector<std::string>{"batch_size", "past_seq_len", "seq_len", "total_seq_len"}));
        const auto one = readGraphFile(path).graph;
        const auto eight = readGraphFile(path, {{"batch_size", 8}}).graph;
        QCOMPARE(flopsOf(*eight, "MatMul"), 8 * flopsOf(*one, "MatMul"));
    }

    void refusesACutModel() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        try {
            readGraphFile(sharedModel("made_truncated_of_light_squeezenet.onnx"));
            QFAIL("a cut file was opened");
        } catch (const InputError& error) {
            QVERIFY2(QString::fromUtf8(error.what())
                         .contains(QStringLiteral("a model that ends after 9370 bytes")),
                     error.what());
        }
    }
};

QTEST_GUILESS_MAIN(TestOnnxFiles)
#include "TestOnnxFiles.moc"
