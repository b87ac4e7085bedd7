#include <QFile>
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/graph/Topology.h"
#include "core/workload/Splitter.h"
#include "core/workload/Workload.h"
#include "tests/support/SharedData.h"

using namespace doppler;
using namespace doppler::workload;
using nlohmann::json;

namespace {

QByteArray readShared(const QString& path) {
    QFile file(tests::sharedPath(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The word of the paper's typed graph files.
std::string paperKind(const Tensor& tensor) {
    switch (tensor.op) {
    case TensorOp::Formation:
        return "formation";
    case TensorOp::ComplexFromReal:
    case TensorOp::RealFromComplex:
        return "complexer";
    case TensorOp::Select:
        return "select";
    case TensorOp::Squeeze:
        return "squeezer";
    case TensorOp::FillMask:
        return "fill";
    default:
        return "einsummable";
    }
}

graph::Shape blockShape(const SplitProgram& split, const BlockInfo& block) {
    graph::Shape shape;
    for (const Interval& interval : block.output(split.program)) {
        shape.push_back(interval.size());
    }
    return shape;
}

} // namespace

/// The generators against the graphs published with the DOPPLER paper.
class TestPublishedWorkloads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Totals that need no reference files.
    void totals_data() {
        QTest::addColumn<QString>("workload");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("edges");
        QTest::addColumn<int>("inputs");
        QTest::addColumn<int>("depth");
        QTest::addColumn<int>("unused");
        QTest::addColumn<qint64>("multiplyAdds");
        QTest::addColumn<qint64>("outputBytes");
        QTest::addColumn<qint64>("edgeBytes");
        QTest::addColumn<qint64>("inputBytes");
        const auto row = [](const char* name, int nodes, int edges, int inputs, int depth,
                            int unused, qint64 multiplyAdds, qint64 outputBytes, qint64 edgeBytes,
                            qint64 inputBytes) {
            QTest::newRow(name) << name << nodes << edges << inputs << depth << unused
                                << multiplyAdds << outputBytes << edgeBytes << inputBytes;
        };
        row("chainmm", 76, 80, 36, 5, 0, 3'000'000'000'000, 4'800'000'000, 5'600'000'000,
            2'000'000'000);
        row("ffnn", 180, 208, 12, 12, 0, 137'438'953'472, 25'803'882'496, 25'833'242'624,
            20'971'520);
        row("llama-block", 182, 234, 33, 49, 0, 966'367'641'600, 15'241'216'000, 20'141'228'032,
            440'418'304);
        row("llama-block:devices=8", 302, 398, 54, 49, 0, 966'367'641'600, 15'488'712'704,
            20'546'027'520, 440'418'304);
        row("llama-layer", 229, 284, 32, 63, 83, 966'498'713'600, 16'551'080'960, 21'443'713'536,
            704'667'648);
        row("llama-layer:devices=8", 367, 470, 50, 63, 131, 966'498'713'600, 16'686'396'416,
            21'785'631'232, 704'667'648);
    }

    void totals() {
        QFETCH(QString, workload);
        QFETCH(int, nodes);
        QFETCH(int, edges);
        QFETCH(int, inputs);
        QFETCH(int, depth);
        QFETCH(int, unused);
        QFETCH(qint64, multiplyAdds);
        QFETCH(qint64, outputBytes);
        QFETCH(qint64, edgeBytes);
        QFETCH(qint64, inputBytes);
        const auto split = generateProgram(workload.toStdString());
        const graph::GraphFacts facts = graph::graphFacts(*split->graph);
        QCOMPARE(facts.nodes, nodes);
        QCOMPARE(facts.edges, edges);
        QCOMPARE(facts.inputs, inputs);
        QCOMPARE(facts.depth, depth);
        QCOMPARE(facts.unusedOps, unused);
        QCOMPARE(qint64{split->program.multiplyAdds()}, multiplyAdds);
        QCOMPARE(qint64{facts.outputBytes}, outputBytes);
        QCOMPARE(qint64{facts.edgeBytes}, edgeBytes);
        QCOMPARE(qint64{facts.inputBytes}, inputBytes);
        QVERIFY(split->graph->fileCostUnit() == graph::FileCostUnit::Units);
    }

    void equalsPublishedGraph_data() {
        QTest::addColumn<QString>("workload");
        QTest::addColumn<QString>("table");
        QTest::newRow("chainmm") << "chainmm"
                                 << "chain_mm_112nodes";
        QTest::newRow("ffnn") << "ffnn"
                              << "ffnn_192nodes";
        QTest::newRow("llama-block") << "llama-block"
                                     << "transformer_block_215nodes";
        QTest::newRow("llama-block, 8") << "llama-block:devices=8"
                                        << "8gpu_transformer_block";
        QTest::newRow("llama-layer") << "llama-layer"
                                     << "full_transformer_layer_261nodes";
        QTest::newRow("llama-layer, 8") << "llama-layer:devices=8"
                                        << "8gpu_full_transformer";
    }

    void equalsPublishedGraph() {
        QFETCH(QString, workload);
        QFETCH(QString, table);
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        const json expected =
            json::parse(readShared("golden/published_ops/" + table + ".json").toStdString());
        const auto split = generateProgram(workload.toStdString());
        compareTensors(*split, expected.at("tensors"));
        compareBlocks(*split, expected.at("nodes"));
        compareEdges(*split->graph, expected.at("edges"));
        compareFile(*split,
                    readShared("graphs/doppler/" + QString::fromStdString(expected.at("graph"))));
    }

private:
    static void compareTensors(const SplitProgram& split, const json& rows) {
        QCOMPARE(split.program.tensors.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Tensor& tensor = split.program.tensors[i];
            const json& row = rows[i];
            const std::string text = row.dump();
            const char* shown = text.c_str();
            QVERIFY2(tensor.opName() == row.at("op"), shown);
            QVERIFY2(tensor.indices == row.value("indices", ""), shown);
            QVERIFY2(tensor.fullShape == row.at("full_shape").get<graph::Shape>(), shown);
            QVERIFY2(tensor.outputShape() == row.at("out_shape").get<graph::Shape>(), shown);
            QVERIFY2(graph::name(tensor.dtype) == row.at("dtype"), shown);
            QVERIFY2(tensor.partition == row.at("partition").get<Partition>(), shown);
            QVERIFY2(tensor.operands == row.at("inputs").get<std::vector<TensorId>>(), shown);
            QVERIFY2(tensor.result == row.value("result", false), shown);
            const bool weight = row.at("role").get<std::string>().starts_with("weight");
            QVERIFY2(tensor.op != TensorOp::Input || tensor.weight == weight ||
                         row.at("role").get<std::string>().starts_with("rotary"),
                     shown);
            compareParameters(tensor, row.value("parameters", json::object()), shown);
        }
    }

    static void compareParameters(const Tensor& tensor, const json& expected, const char* shown) {
        const OpParameters& parameters = tensor.parameters;
        QVERIFY2((parameters.combine == Combine::Max) == (expected.value("combine", "") == "max"),
                 shown);
        QCOMPARE(parameters.scale, expected.value("scale", 1.0));
        QCOMPARE(parameters.eps, expected.value("eps", 0.0));
        if (expected.contains("start")) {
            QVERIFY2(parameters.start == expected.at("start").get<graph::Shape>(), shown);
            QVERIFY2(tensor.fullShape == expected.at("size").get<graph::Shape>(), shown);
        }
    }

    static void compareBlocks(const SplitProgram& split, const json& nodes) {
        const graph::Graph& graph = *split.graph;
        QCOMPARE(std::size_t(graph.opCount()), nodes.size());
        for (OpId op = 0; op < graph.opCount(); ++op) {
            const json& node = nodes[std::size_t(op)];
            const std::string text = node.dump();
            const BlockInfo& block = split.ofOp(op);
            QVERIFY2(block.tensor == node.at("tensor"), text.c_str());
            QVERIFY2(block.index == node.at("block").get<Partition>(), text.c_str());
            const auto shape = node.at("block_out_shape").get<graph::Shape>();
            QVERIFY2(blockShape(split, block) == shape, text.c_str());
            QVERIFY2(std::ranges::equal(graph.shape(op), shape), text.c_str());
            const Tensor& tensor = split.program.at(block.tensor);
            QVERIFY2(paperKind(tensor) == node.at("kind"), text.c_str());
            // Physical costs follow from the shapes.
            const std::int64_t join = graph::elementCount(tensor.fullShape) / tensor.blockCount();
            QCOMPARE(graph.flops(op), tensor.op == TensorOp::Matmul ? 2 * join : join);
            QCOMPARE(graph.outputBytes(op),
                     graph::elementCount(shape) * graph::elementBytes(tensor.dtype));
        }
    }

    static void compareEdges(const graph::Graph& graph, const json& edges) {
        QCOMPARE(std::size_t(graph.edgeCount()), edges.size());
        for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
            QCOMPARE(graph.source(edge), edges[std::size_t(edge)][0].get<OpId>());
            QCOMPARE(graph.target(edge), edges[std::size_t(edge)][1].get<OpId>());
        }
    }

    // Second line: whole-graph ids of the inputs. Last lines: costs, one op a line.
    static void compareFile(const SplitProgram& split, const QByteArray& text) {
        const QList<QByteArray> lines = text.trimmed().split('\n');
        QList<QByteArray> inputs = lines.at(1).trimmed().split(',');
        inputs.removeAll(QByteArray());
        QCOMPARE(std::size_t(inputs.size()), split.blockOfInput.size());
        for (qsizetype i = 0; i < inputs.size(); ++i) {
            QCOMPARE(split.blockOfInput[std::size_t(i)], inputs.at(i).trimmed().toULongLong());
        }
        const int ops = split.graph->opCount();
        const qsizetype first = lines.size() - ops;
        for (OpId op = 0; op < ops; ++op) {
            const QList<QByteArray> fields = lines.at(first + op).split(',');
            QCOMPARE(qint64{split.graph->fileCompute(op)}, fields.at(0).toLongLong());
            QCOMPARE(qint64{split.graph->fileTransfer(op)}, fields.at(1).toLongLong());
            if (fields.size() > 2 && !fields.at(2).isEmpty()) {
                QCOMPARE(paperKind(split.program.at(split.ofOp(op).tensor)),
                         fields.at(2).trimmed().toStdString());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestPublishedWorkloads)
#include "TestPublishedWorkloads.moc"
