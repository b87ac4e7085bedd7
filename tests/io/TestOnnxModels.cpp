#include <QTest>

#include "core/graph/InputError.h"
#include "core/io/GraphDimensions.h"
#include "core/io/Onnx.h"
#include "core/io/OnnxProto.h"
#include "tests/support/SameGraph.h"

using namespace doppler;
using namespace doppler::io;

namespace {

using Shape = graph::Shape;
using Strings = std::vector<std::string>;

/// A model of float tensors, made node by node.
struct Model {
    onnx::ModelProto proto;

    Model() {
        proto.set_ir_version(8);
        proto.add_opset_import()->set_version(17);
        proto.mutable_graph()->set_name("small");
    }
    onnx::GraphProto& graph() { return *proto.mutable_graph(); }

    static onnx::NodeProto& node(onnx::GraphProto& graph, const std::string& type,
                                 const Strings& inputs, const Strings& outputs,
                                 const std::string& name = {}) {
        return fill(*graph.add_node(), type, inputs, outputs, name);
    }
    static onnx::NodeProto& fill(onnx::NodeProto& node, const std::string& type,
                                 const Strings& inputs, const Strings& outputs,
                                 const std::string& name = {}) {
        node.set_op_type(type);
        for (const std::string& input : inputs) {
            node.add_input(input);
        }
        for (const std::string& output : outputs) {
            node.add_output(output);
        }
        if (!name.empty()) {
            node.set_name(name);
        }
        return node;
    }
    onnx::NodeProto& node(const std::string& type, const Strings& inputs, const Strings& outputs,
                          const std::string& name = {}) {
        return node(graph(), type, inputs, outputs, name);
    }
    /// A dimension of 0 or more, or a name.
    static void value(onnx::ValueInfoProto& info, const std::string& name, const Strings& dims) {
        info.set_name(name);
        auto* tensor = info.mutable_type()->mutable_tensor_type();
        tensor->set_elem_type(onnx::TensorProto::FLOAT);
        tensor->mutable_shape();
        for (const std::string& text : dims) {
            auto* dimension = tensor->mutable_shape()->add_dim();
            if (text.find_first_not_of("0123456789") == std::string::npos) {
                dimension->set_dim_value(std::stoll(text));
            } else {
                dimension->set_dim_param(text);
            }
        }
    }
    void input(const std::string& name, const Strings& dims) {
        value(*graph().add_input(), name, dims);
    }
    void output(const std::string& name) { graph().add_output()->set_name(name); }
    void weight(const std::string& name, const Shape& shape) {
        onnx::TensorProto& tensor = *graph().add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(onnx::TensorProto::FLOAT);
        tensor.set_data_location(onnx::TensorProto::EXTERNAL);
        for (const std::int64_t size : shape) {
            tensor.add_dims(size);
        }
    }
    void numbers(const std::string& name, const std::vector<std::int64_t>& values) {
        onnx::TensorProto& tensor = *graph().add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(onnx::TensorProto::INT64);
        tensor.add_dims(static_cast<std::int64_t>(values.size()));
        for (const std::int64_t each : values) {
            tensor.add_int64_data(each);
        }
    }

    ReadGraph read(const GraphDimensions& dimensions = {}) const {
        return parseOnnx(proto.SerializeAsString(), "small.onnx", dimensions);
    }
};

void attribute(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
}

void attribute(onnx::NodeProto& node, const std::string& name,
               const std::vector<std::int64_t>& values) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INTS);
    attribute.mutable_ints()->Add(values.begin(), values.end());
}

onnx::GraphProto& subgraph(onnx::NodeProto& node, const std::string& name) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    return *attribute.mutable_g();
}

Shape shapeOf(const graph::Graph& graph, OpId op) {
    return {graph.shape(op).begin(), graph.shape(op).end()};
}

bool hasEdge(const graph::Graph& graph, OpId from, OpId to) {
    for (EdgeId edge = graph.firstOutEdge(from); edge < graph.endOutEdge(from); ++edge) {
        if (graph.target(edge) == to) {
            return true;
        }
    }
    return false;
}

bool reports(const ReadGraph& read, const std::string& part) {
    for (const std::string& note : read.report.notes) {
        if (note.find(part) != std::string::npos) {
            return true;
        }
    }
    return false;
}

template <typename Call>
QString messageOf(Call call) {
    try {
        call();
    } catch (const InputError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

/// What the ONNX reader makes of models, each made here to show one thing.
class TestOnnxModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contractionsAndConvolutions() {
        Model model;
        model.input("image", {"2", "3", "16", "16"});
        model.weight("kernel", {8, 3, 3, 3});
        model.weight("bias", {8});
        model.weight("w", {1568, 10});
        model.node("Conv", {"image", "kernel", "bias"}, {"c"}, "conv");
        attribute(model.node("MaxPool", {"c"}, {"p"}, "pool"), "kernel_shape", {{1, 1}});
        model.node("Flatten", {"p"}, {"f"}, "flatten");
        model.node("MatMul", {"f", "w"}, {"y"}, "matmul");
        const ReadGraph read = model.read();
        const graph::Graph& graph = *read.graph;
        QCOMPARE(shapeOf(graph, 0), (Shape{2, 8, 14, 14}));
        QCOMPARE(graph.flops(0), std::int64_t{2 * 8 * 14 * 14} * (2 * 27 + 1));
        QCOMPARE(graph.kind(0), graph::OpKind::Convolution);
        QCOMPARE(graph.flops(2), std::int64_t{0});
        QCOMPARE(graph.bytesTouched(2), std::int64_t{0});
        QCOMPARE(graph.flops(3), std::int64_t{2 * 2 * 1568 * 10});
        QCOMPARE(graph.outputBytes(3), std::int64_t{80});
        QCOMPARE(graph.inputCount(), 4);
        QVERIFY(graph.inputs()[1].weight && graph.inputs()[1].bytes == 864);
        QVERIFY(reports(read, "3 weights stored in other files"));
    }

    void openDimensions() {
        Model model;
        model.input("x", {"batch", "seq", "64"});
        model.weight("w", {64, 32});
        model.node("MatMul", {"x", "w"}, {"y"});
        model.output("y");
        const ReadGraph one = model.read();
        QCOMPARE(one.graph->flops(0), std::int64_t{2 * 64 * 32});
        QVERIFY(reports(one, "open dimensions taken as 1: batch = 1, seq = 1"));
        const ReadGraph more = model.read({{"batch", 8}, {"seq", 128}});
        QCOMPARE(more.graph->flops(0), std::int64_t{8} * 128 * 2 * 64 * 32);
        QVERIFY(reports(more, "open dimensions set: batch = 8, seq = 128"));
        QCOMPARE(messageOf([&] {
                     model.read({{"bacth", 8}});
                 }),
                 QStringLiteral("small.onnx: found no dimension called \"bacth\", expected one of "
                                "batch, seq"));
        QCOMPARE(io::openDimensions(model.proto.SerializeAsString()), (Strings{"batch", "seq"}));
    }

    /// Shape -> Gather -> Concat -> Reshape, as exporters write it.
    void shapesThatAreComputed() {
        Model model;
        model.input("x", {"batch", "6", "4"});
        model.numbers("zero", {0});
        model.numbers("rest", {-1});
        model.node("Shape", {"x"}, {"s"});
        model.node("Gather", {"s", "zero"}, {"b"});
        attribute(model.node("Concat", {"b", "rest"}, {"target"}), "axis", 0);
        model.node("Reshape", {"x", "target"}, {"y"});
        const ReadGraph read = model.read({{"batch", 5}});
        QCOMPARE(shapeOf(*read.graph, 3), (Shape{5, 24}));
        QVERIFY(!read.graph->costEstimated(3));
        QCOMPARE(read.graph->edgeCount(), 3);
    }

    void subgraphsAreOneOpAndCapturesAreEdges() {
        Model model;
        model.input("x", {"2", "4"});
        model.input("go", {});
        model.graph().mutable_input(1)->mutable_type()->mutable_tensor_type()->set_elem_type(
            onnx::TensorProto::BOOL);
        model.node("Relu", {"x"}, {"r"}, "before");
        onnx::NodeProto& choice = model.node("If", {"go"}, {"y"}, "choice");
        for (const char* name : {"then_branch", "else_branch"}) {
            onnx::GraphProto& branch = subgraph(choice, name);
            Model::node(branch, "Add", {"r", "x"}, {"sum"});
            Model::node(branch, "Neg", {"sum"}, {"result"});
            branch.add_output()->set_name("result");
        }
        model.node("Abs", {"y"}, {"z"}, "after");
        const ReadGraph read = model.read();
        const graph::Graph& graph = *read.graph;
        QCOMPARE(graph.opCount(), 3);
        QVERIFY(hasEdge(graph, 0, 1) && hasEdge(graph, 1, 2));
        QCOMPARE(graph.kind(1), graph::OpKind::ControlFlow);
        QCOMPARE(graph.flops(1), std::int64_t{2 * 2 * 8}); // two branches of two ops
        QVERIFY(graph.costEstimated(1));
        QCOMPARE(shapeOf(graph, 1), (Shape{2, 4}));
        QVERIFY(reports(read, "1 op with subgraphs"));
    }

    void loopsCountTheirTrips() {
        Model model;
        model.input("x", {"4"});
        model.numbers("trips", {10});
        onnx::NodeProto& loop = model.node("Loop", {"trips", "", "x"}, {"last", "all"});
        onnx::GraphProto& body = subgraph(loop, "body");
        for (const char* name : {"i", "cond", "state"}) {
            body.add_input()->set_name(name);
        }
        Model::node(body, "Add", {"state", "x"}, {"next"});
        Model::node(body, "Identity", {"cond"}, {"on"});
        for (const char* name : {"on", "next", "next"}) {
            body.add_output()->set_name(name);
        }
        const ReadGraph read = model.read();
        QCOMPARE(read.graph->flops(0), std::int64_t{40});
        QCOMPARE(read.graph->outputBytes(0), std::int64_t{16 + 160});
    }

    void functionsAreInlined() {
        Model model;
        model.input("x", {"3"});
        model.proto.add_opset_import()->set_domain("own");
        onnx::FunctionProto& function = *model.proto.add_functions();
        function.set_domain("own");
        function.set_name("Twice");
        function.add_opset_import()->set_version(17);
        function.add_input("a");
        function.add_output("b");
        function.add_attribute("how");
        onnx::NodeProto& cast = Model::fill(*function.add_node(), "Cast", {"a"}, {"c"}, "cast");
        onnx::AttributeProto& to = *cast.add_attribute();
        to.set_name("to");
        to.set_type(onnx::AttributeProto::INT);
        to.set_ref_attr_name("how");
        Model::fill(*function.add_node(), "Add", {"c", "c"}, {"b"}, "add");
        for (const auto& [in, out, name] : {std::tuple{"x", "y", "first"}, {"y", "z", "second"}}) {
            onnx::NodeProto& call = model.node("Twice", {in}, {out}, name);
            call.set_domain("own");
            attribute(call, "how", onnx::TensorProto::DOUBLE);
        }
        const ReadGraph read = model.read();
        const graph::Graph& graph = *read.graph;
        QCOMPARE(graph.opCount(), 4);
        QCOMPARE(graph.opName(3), std::string("second/add"));
        QVERIFY(hasEdge(graph, 0, 1) && hasEdge(graph, 1, 2) && hasEdge(graph, 2, 3));
        QCOMPARE(graph.outputBytes(3), std::int64_t{24}); // double
        QVERIFY(reports(read, "2 calls of the model's functions inlined"));
    }

    void functionsThatCallThemselvesAreRefused() {
        Model model;
        model.input("x", {"3"});
        onnx::FunctionProto& function = *model.proto.add_functions();
        function.set_domain("own");
        function.set_name("Again");
        function.add_input("a");
        function.add_output("b");
        Model::fill(*function.add_node(), "Again", {"a"}, {"b"}).set_domain("own");
        model.node("Again", {"x"}, {"y"}).set_domain("own");
        QVERIFY(messageOf([&] {
                    model.read();
                }).contains(QStringLiteral("expected functions that do not call themselves")));
    }

    void namesAreMadeUnique() {
        Model model;
        model.input("x", {"3"});
        model.node("Relu", {"x"}, {"a"}, "same");
        model.node("Relu", {"a"}, {"b"}, "same");
        model.node("Relu", {"b"}, {"c"}, "Relu 3");
        model.node("Relu", {"c"}, {"d"});
        model.node("Relu", {"d"}, {"e"}, "bad\xff\n\"name");
        const ReadGraph read = model.read();
        std::set<std::string> names;
        for (OpId op = 0; op < read.graph->opCount(); ++op) {
            QVERIFY(names.insert(read.graph->opName(op)).second);
        }
        QVERIFY(names.contains("same") && names.contains("same (2)"));
        QVERIFY(reports(read, "with the name of another one: numbered"));
    }

    void unknownOperatorsAreEstimates() {
        Model model;
        model.input("x", {"4", "8"});
        model.node("Relu", {"x"}, {"a"});
        model.node("Mystery", {"a"}, {"b"}).set_domain("com.example");
        model.node("Relu", {"b"}, {"c"});
        const ReadGraph read = model.read();
        QCOMPARE(read.graph->flops(1), std::int64_t{32});
        QVERIFY(!read.graph->costEstimated(0) && read.graph->costEstimated(1));
        QVERIFY(read.graph->costEstimated(2)); // its size rests on the guess
        QVERIFY(reports(read, "1 op without a cost rule (com.example.Mystery)"));
    }

    void faultyNodesLeaveTheRestAlone() {
        Model model;
        model.input("x", {"1", "3", "8", "8"});
        model.weight("k", {4, 3, 3, 3});
        attribute(model.node("Conv", {"x", "k"}, {"a"}, "bad"), "strides", {{0, 0}});
        model.node("Relu", {"x"}, {"b"}, "good");
        const ReadGraph read = model.read();
        QVERIFY(read.graph->costEstimated(0));
        QCOMPARE(shapeOf(*read.graph, 1), (Shape{1, 3, 8, 8}));
        QVERIFY(reports(read, "1 op with a result of unknown size (\"bad\")"));
        QVERIFY(reports(read, "\\\"strides\\\" is not positive") ||
                reports(read, "\"strides\" is not positive"));
    }

    void sizesBeyond64BitsAreRefused() {
        Model model;
        model.input("x", {"4611686018427387904", "4611686018427387904"});
        model.node("Relu", {"x"}, {"a"});
        model.node("Relu", {"x"}, {"b"});
        QVERIFY(!messageOf([&] { model.read(); }).isEmpty());
    }

    void severalResultsAreSeveralPayloads() {
        Model model;
        model.input("x", {"6", "2"});
        model.numbers("parts", {2, 4});
        model.node("Relu", {"x"}, {"r"});
        attribute(model.node("Split", {"r", "parts"}, {"a", "b"}), "axis", 0);
        model.node("Relu", {"a"}, {"c"});
        model.node("Mul", {"b", "b"}, {"d"});
        const ReadGraph read = model.read();
        const graph::Graph& graph = *read.graph;
        QCOMPARE(graph.outputBytes(1), std::int64_t{48});
        QCOMPARE(graph.edgeCount(), 3);
        QCOMPARE(graph.edgeBytes(graph.inEdges(2)[0]), std::int64_t{16});
        QCOMPARE(graph.edgeBytes(graph.inEdges(3)[0]), std::int64_t{32}); // read twice, sent once
        QCOMPARE(graph.multiplicity(graph.inEdges(3)[0]), 2);
    }

    void weightsMayBeListedAsInputs() {
        Model model;
        model.input("x", {"4", "4"});
        model.input("w", {"4", "4"});
        model.input("w", {"4", "4"});
        model.weight("w", {4, 4});
        model.weight("spare", {9});
        model.node("MatMul", {"x", "w"}, {"y"});
        const ReadGraph read = model.read();
        QCOMPARE(read.graph->inputCount(), 2);
        QCOMPARE(read.graph->uses(0).size(), std::size_t{2});
        QVERIFY(reports(read, "1 weight that no op reads: left out"));
    }

    void nodesMayStandInAnyOrder() {
        Model model;
        model.input("x", {"4"});
        model.node("Neg", {"a"}, {"b"});
        model.node("Relu", {"x"}, {"a"});
        const ReadGraph read = model.read();
        QVERIFY(hasEdge(*read.graph, 1, 0));
        QCOMPARE(shapeOf(*read.graph, 0), Shape{4});
    }

    void cyclesAreRefusedByName() {
        Model model;
        model.node("Neg", {"b"}, {"a"}, "one");
        model.node("Relu", {"a"}, {"b"}, "two");
        QVERIFY(messageOf([&] { model.read(); }).contains(QStringLiteral("\"one\" -> \"two\"")));
    }

    void devicesAreWrittenAndReadBack() {
        Model model;
        model.input("x", {"batch", "4"});
        model.weight("w", {4, 4});
        model.node("MatMul", {"x", "w"}, {"a"}, "first");
        model.node("Relu", {"a"}, {"b"});
        model.node("Add", {"a", "b"}, {"c"});
        model.output("c");
        const std::string bytes = model.proto.SerializeAsString();
        const ReadGraph read = parseOnnx(bytes, "small.onnx", {{"batch", 3}});
        const cluster::Cluster cluster = cluster::uniformCluster(3);
        const sim::Assignment assignment{2, 0, 1};
        std::vector<std::string> notes;
        const std::string written =
            writeOnnxDevices(bytes, "small.onnx", *read.graph, assignment, cluster, notes);
        QVERIFY(notes.empty());
        QCOMPARE(readOnnxDevices(written, "placed.onnx", *read.graph, cluster), assignment);
        QCOMPARE(parseAssignment(written, "placed.onnx", *read.graph, cluster), assignment);
        const ReadGraph again = parseOnnx(written, "small.onnx", {{"batch", 3}});
        QCOMPARE(tests::firstDifference(*read.graph, *again.graph), std::string());
        QVERIFY(reports(again, "device configuration"));

        // Placed again, it holds the new devices only.
        const sim::Assignment other{0, 0, 0};
        const std::string twice =
            writeOnnxDevices(written, "small.onnx", *read.graph, other, cluster, notes);
        QCOMPARE(readOnnxDevices(twice, "placed.onnx", *read.graph, cluster), other);

        onnx::ModelProto proto;
        QVERIFY(proto.ParseFromString(written));
        QCOMPARE(proto.ir_version(), std::int64_t{11});
        QVERIFY(messageOf([&] {
                    readOnnxDevices(bytes, "m", *read.graph, cluster);
                }).contains(QStringLiteral("without a device configuration")));
        QVERIFY(messageOf([&] {
                    readOnnxDevices(written, "m", *read.graph, cluster::uniformCluster(2));
                }).contains(QStringLiteral("with device 2 for op \"first\"")));
    }

    /// Field numbers as in onnx.proto, told by the text that protobuf prints of unknown fields.
    void devicesHaveTheFieldNumbersOfOnnx() {
        Model model;
        model.input("x", {"4"});
        model.node("Relu", {"x"}, {"y"});
        const std::string bytes = model.proto.SerializeAsString();
        std::vector<std::string> notes;
        const cluster::Cluster cluster = cluster::uniformCluster(2);
        onnx::ModelProto proto;
        QVERIFY(proto.ParseFromString(
            writeOnnxDevices(bytes, "m", *parseOnnx(bytes, "m").graph, {1}, cluster, notes)));
        QVERIFY(proto.ShortDebugString().find("26 { 1: \"" + cluster.name() + "\" 2: 2 3: \"" +
                                              cluster.device(0).name + "\"") != std::string::npos);
        QVERIFY(proto.graph().node(0).ShortDebugString().find("10 { 1: \"" + cluster.name() +
                                                              "\" 2 { 1: \"y\" 2: 1 } }") !=
                std::string::npos);
    }

    void sourcesMayNameDimensions() {
        const GraphSource plain = parseGraphSource("nowhere.onnx:batch=8");
        QCOMPARE(plain.path.string(), std::string("nowhere.onnx:batch=8"));
        const std::string here = DOPPLER_SOURCE_DIR "/README.md";
        const GraphSource source = parseGraphSource(here + ":batch=8,seq=128");
        QCOMPARE(source.path.string(), here);
        QCOMPARE(source.dimensions, (GraphDimensions{{"batch", 8}, {"seq", 128}}));
        for (const char* bad :
             {":batch=1,batch=2", ":batch", ":batch=0", ":batch=-1", ":batch=8x", ":=3", ":"}) {
            QVERIFY2(!messageOf([&] { parseGraphSource(here + bad); }).isEmpty(), bad);
        }
    }
};

QTEST_GUILESS_MAIN(TestOnnxModels)
#include "TestOnnxModels.moc"
