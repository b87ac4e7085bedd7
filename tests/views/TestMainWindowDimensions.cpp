#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include "core/io/OnnxProto.h"
#include "tests/support/WindowFixture.h"
#include "views/shell/DimensionsDialog.h"
#include "views/shell/MessageArea.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::WindowFixture;

namespace {

constexpr std::int64_t kFlopsOfOne = 2 * 64 * 32;

void addInput(onnx::GraphProto& graph, const std::string& name,
              const std::vector<std::string>& names, std::int64_t last) {
    onnx::ValueInfoProto& input = *graph.add_input();
    input.set_name(name);
    auto* tensor = input.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(onnx::TensorProto::FLOAT);
    for (const std::string& each : names) {
        tensor->mutable_shape()->add_dim()->set_dim_param(each);
    }
    tensor->mutable_shape()->add_dim()->set_dim_value(last);
}

/// y = x w with x of [batch, seq, 64]; the model has a mask of [batch, seq, 1] too.
QByteArray model() {
    onnx::ModelProto model;
    model.set_ir_version(8);
    model.add_opset_import()->set_version(17);
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.set_name("open");
    addInput(graph, "x", {"batch", "seq"}, 64);
    addInput(graph, "mask", {"batch", "seq"}, 1);
    onnx::TensorProto& weight = *graph.add_initializer();
    weight.set_name("w");
    weight.set_data_type(onnx::TensorProto::FLOAT);
    weight.set_data_location(onnx::TensorProto::EXTERNAL);
    weight.add_dims(64);
    weight.add_dims(32);
    onnx::NodeProto& product = *graph.add_node();
    product.set_op_type("MatMul");
    product.add_input("x");
    product.add_input("w");
    product.add_output("y");
    onnx::NodeProto& masked = *graph.add_node();
    masked.set_op_type("Mul");
    masked.add_input("y");
    masked.add_input("mask");
    masked.add_output("z");
    graph.add_output()->set_name("z");
    return QByteArray::fromStdString(model.SerializeAsString());
}

} // namespace

class TestMainWindowDimensions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asksForTheSizesAndKeepsThem() {
        WindowFixture f;
        const QString path = f.write(QStringLiteral("open.onnx"), model());
        f.prompts->sizes = io::GraphDimensions{{"batch", 8}, {"seq", 16}};
        QVERIFY(f.open(path));
        // What was asked.
        QVERIFY(f.prompts->asked);
        const auto& asked = f.prompts->asked->dimensions;
        QCOMPARE(asked.size(), std::size_t(2));
        QCOMPARE(asked[0].name, std::string("batch"));
        QCOMPARE(asked[0].places,
                 (std::vector<std::string>{"x, dimension 1", "mask, dimension 1"}));
        QCOMPARE(asked[1].name, std::string("seq"));
        // What came of it.
        QCOMPARE(f.workspace().problem()->graph->flops(0), 8 * 16 * kFlopsOfOne);
        QCOMPARE(f.window->documents().title(), QStringLiteral("open:batch=8,seq=16"));
        QVERIFY(f.window->messages().strips().front()->text().contains(
            QStringLiteral("batch = 8, seq = 16")));
        // From the recent files nobody is asked again.
        const QString again = f.window->documents().recent().entries().front().source;
        QCOMPARE(again, path + QStringLiteral(":batch=8,seq=16"));
        f.prompts->asked.reset();
        f.restart();
        QCOMPARE(f.window->documents().recent().entries().front().source, again);
        QVERIFY(f.open(again));
        QVERIFY(!f.prompts->asked);
        QCOMPARE(f.workspace().problem()->graph->flops(0), 8 * 16 * kFlopsOfOne);
    }

    void cancelLeavesWhatIsOpen() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        const auto problem = f.workspace().problem();
        f.window->documents().open(f.write(QStringLiteral("open.onnx"), model()));
        QVERIFY(f.settle());
        QVERIFY(f.prompts->asked);
        QCOMPARE(f.workspace().problem(), problem);
        QVERIFY(!f.action("file.dimensions")->isEnabled());
    }

    void sizesMayBeChangedLater() {
        WindowFixture f;
        f.prompts->sizes = io::GraphDimensions{{"batch", 2}, {"seq", 4}};
        QVERIFY(f.open(f.write(QStringLiteral("open.onnx"), model())));
        f.prompts->path = f.file(QStringLiteral("kept.doppler"));
        f.action("file.save")->trigger();
        QVERIFY(f.settle());
        QVERIFY(f.open(QStringLiteral("chainmm")));
        // The session knows its sizes, and where they came from.
        QVERIFY(f.open(f.file(QStringLiteral("kept.doppler"))));
        QCOMPARE(f.workspace().problem()->graph->flops(0), 2 * 4 * kFlopsOfOne);
        QVERIFY(f.action("file.dimensions")->isEnabled());
        f.prompts->sizes = io::GraphDimensions{{"batch", 3}, {"seq", 5}};
        f.action("file.dimensions")->trigger();
        QVERIFY(f.settle());
        QCOMPARE(f.prompts->asked->source.dimensions,
                 (io::GraphDimensions{{"batch", 2}, {"seq", 4}}));
        QCOMPARE(f.workspace().problem()->graph->flops(0), 3 * 5 * kFlopsOfOne);
    }

    void onlyWhatIsMissingIsAskedFor() {
        WindowFixture f;
        const QString path = f.write(QStringLiteral("open.onnx"), model());
        f.prompts->sizes = io::GraphDimensions{{"batch", 8}, {"seq", 2}};
        QVERIFY(f.open(path + QStringLiteral(":batch=8")));
        QCOMPARE(f.prompts->asked->source.dimensions, (io::GraphDimensions{{"batch", 8}}));
        QCOMPARE(f.workspace().problem()->graph->flops(0), 8 * 2 * kFlopsOfOne);
    }

    void whereNobodyCanAnswerTheyAreOne() {
        WindowFixture f;
        OpenRequest request;
        request.source = f.write(QStringLiteral("open.onnx"), model());
        f.window->documents().open(request);
        QVERIFY(f.settle());
        QVERIFY(!f.prompts->asked);
        QCOMPARE(f.workspace().problem()->graph->flops(0), kFlopsOfOne);
    }

    void theDialogStartsWithTheLastSizes() {
        WindowFixture f;
        DimensionQuestion question{{"/models/open.onnx", {{"seq", 7}}},
                                   {{"batch", {"x, dimension 1"}}, {"seq", {"x, dimension 2"}}}};
        {
            DimensionsDialog dialog(question);
            QCOMPARE(dialog.sizes(), (io::GraphDimensions{{"batch", 1}, {"seq", 7}}));
            dialog.findChild<QSpinBox*>(QStringLiteral("batch"))->setValue(32);
            dialog.remember();
        }
        question.source.dimensions.clear();
        DimensionsDialog dialog(question);
        QCOMPARE(dialog.sizes(), (io::GraphDimensions{{"batch", 32}, {"seq", 7}}));
    }
};

QTEST_MAIN(TestMainWindowDimensions)
#include "TestMainWindowDimensions.moc"
