#include <array>
#include <unordered_map>

#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/io/EdgeOrder.h"
#include "core/io/Formats.h"
#include "core/io/GraphJson.h"
#include "core/io/JsonText.h"
#include "core/io/TaskGraph.h"

namespace doppler::io {

using graph::FileCostUnit;
using graph::Graph;
using graph::GraphBuilder;
using graph::GraphInput;
using graph::OpSpec;

namespace {

constexpr std::int32_t kMostOperands = 1 << 24;

graph::Shape readShape(const JsonField& field) {
    graph::Shape shape;
    for (const JsonField& dimension : field.elements()) {
        shape.push_back(dimension.integer());
    }
    return shape;
}

graph::DType readDType(const JsonField& field) {
    const auto dtype = graph::dtypeFromName(field.string());
    if (!dtype) {
        field.fail("f16, bf16, f32, f64, c64, i8, i32, i64, bool or unknown");
    }
    return *dtype;
}

GraphInput readInput(const JsonField& field) {
    field.allowOnly({"name", "shape", "dtype", "bytes", "weight"});
    GraphInput input;
    input.name = field.stringOr("name", "");
    if (const auto shape = field.find("shape")) {
        input.shape = readShape(*shape);
    }
    if (const auto dtype = field.find("dtype")) {
        input.dtype = readDType(*dtype);
    }
    input.bytes = field.integerOr("bytes", 0);
    input.weight = field.booleanOr("weight", false);
    return input;
}

OpSpec readOp(const JsonField& field, bool fileCosts) {
    field.allowOnly({"name", "kind", "operator", "shape", "dtype", "outputBytes", "flops",
                     "bytesTouched", "estimated", "compute", "transfer", "pin", "group", "detail"});
    OpSpec spec;
    spec.name = field.stringOr("name", "");
    if (const auto kind = field.find("kind")) {
        const auto known = graph::opKindFromName(kind->string());
        if (!known) {
            kind->fail("a kind of operation such as \"contraction\" or \"other\" (its exact name "
                       "goes under \"operator\")");
        }
        spec.kind = *known;
    }
    spec.kindName = field.stringOr("operator", "");
    if (const auto shape = field.find("shape")) {
        spec.shape = readShape(*shape);
    }
    if (const auto dtype = field.find("dtype")) {
        spec.dtype = readDType(*dtype);
    }
    spec.outputBytes = field.integerOr("outputBytes", -1);
    spec.flops = field.integerOr("flops", 0);
    spec.bytesTouched = field.integerOr("bytesTouched", -1);
    spec.costEstimated = field.booleanOr("estimated", false);
    for (const char* key : {"compute", "transfer"}) {
        if (const auto cost = field.find(key); cost && !fileCosts) {
            cost->fail("a cost", "none, or \"costUnit\" at the top level");
        }
    }
    if (fileCosts) {
        spec.fileCompute = field["compute"].integer();
        spec.fileTransfer = field["transfer"].integer();
    }
    if (const auto pin = field.find("pin")) {
        spec.pinnedDevice = pin->integer32();
    }
    spec.group = field.stringOr("group", "");
    spec.detail = field.stringOr("detail", "");
    return spec;
}

/// Finds ops by number or by a name that only one op has.
class OpLookup {
public:
    void add(const std::string& name, OpId op) {
        if (!name.empty()) {
            const auto [entry, added] = byName_.emplace(name, op);
            entry->second = added ? op : kNoOp;
        }
        count_ = op + 1;
    }

    OpId operator()(const JsonField& field) const {
        if (!field.isString()) {
            if (count_ == 0) {
                field.fail("no op, for there are none");
            }
            return field.integer32(0, count_ - 1);
        }
        const auto found = byName_.find(field.string());
        if (found == byName_.end() || found->second == kNoOp) {
            field.fail(found == byName_.end() ? "the name of an op"
                                              : "a name that only one op has");
        }
        return found->second;
    }

private:
    std::unordered_map<std::string, OpId> byName_;
    OpId count_ = 0;
};

void readEdge(const JsonField& field, const OpLookup& op, int inputCount, GraphBuilder& builder) {
    if (field.isArray()) {
        if (field.size() < 2 || field.size() > 3) {
            field.fail("[from, to] or [from, to, operand]");
        }
        const OpId source = op(field[std::size_t{0}]);
        const OpId target = op(field[std::size_t{1}]);
        builder.addEdge(source, target,
                        field.size() == 3 ? field[std::size_t{2}].integer32(0, kMostOperands) : -1);
        return;
    }
    field.allowOnly({"from", "input", "to", "operand", "bytes", "transfer"});
    const OpId target = op(field["to"]);
    const auto operandField = field.find("operand");
    const std::int32_t operand = operandField ? operandField->integer32(0, kMostOperands) : -1;
    const auto input = field.find("input");
    if (!input) {
        builder.addEdge(op(field["from"]), target, operand, field.integerOr("bytes", -1),
                        field.integerOr("transfer", -1));
        return;
    }
    if (inputCount == 0) {
        input->fail("no graph input, for \"inputs\" lists none");
    }
    builder.addInputUse(input->integer32(0, inputCount - 1), target, operand);
}

FileCostUnit readCostUnit(const JsonField& root) {
    const auto field = root.find("costUnit");
    if (!field) {
        return FileCostUnit::None;
    }
    for (const auto& [unit, word] : kCostUnits) {
        if (field->string() == word) {
            return unit;
        }
    }
    field->fail("\"units\", \"ns\" or \"ns and bytes\"");
}

OrderedJson inputJson(const GraphInput& input) {
    OrderedJson json = {{"name", input.name}};
    if (!input.shape.empty()) {
        json["shape"] = input.shape;
    }
    if (input.dtype != graph::DType::Unknown) {
        json["dtype"] = graph::name(input.dtype);
    }
    json["bytes"] = input.bytes;
    if (input.weight) {
        json["weight"] = true;
    }
    return json;
}

OrderedJson opJson(const Graph& graph, OpId op) {
    OrderedJson json = OrderedJson::object();
    if (graph.hasOwnName(op)) {
        json["name"] = graph.opName(op);
    }
    json["kind"] = graph::name(graph.kind(op));
    if (graph.kindName(op) != graph::name(graph.kind(op))) {
        json["operator"] = graph.kindName(op);
    }
    if (!graph.shape(op).empty()) {
        json["shape"] = graph::Shape(graph.shape(op).begin(), graph.shape(op).end());
    }
    if (graph.dtype(op) != graph::DType::Unknown) {
        json["dtype"] = graph::name(graph.dtype(op));
    }
    json["outputBytes"] = graph.outputBytes(op);
    json["flops"] = graph.flops(op);
    json["bytesTouched"] = graph.bytesTouched(op);
    if (graph.costEstimated(op)) {
        json["estimated"] = true;
    }
    if (graph.hasFileCosts()) {
        json["compute"] = graph.fileCompute(op);
        json["transfer"] = graph.fileTransfer(op);
    }
    if (graph.pinnedDevice(op) != kNoDevice) {
        json["pin"] = graph.pinnedDevice(op);
    }
    if (graph.group(op) >= 0) {
        json["group"] = graph.groupNames()[static_cast<std::size_t>(graph.group(op))];
    }
    if (!graph.detail(op).empty()) {
        json["detail"] = graph.detail(op);
    }
    return json;
}

OrderedJson edgeJson(const Graph& graph, const EdgeEntry& entry) {
    const bool payload = !entry.fromInput && (graph.hasEdgeBytes() || graph.hasEdgeFileTransfer());
    if (!entry.fromInput && !payload) {
        OrderedJson row = {entry.source, entry.target};
        if (entry.operand >= 0) {
            row.push_back(entry.operand);
        }
        return row;
    }
    OrderedJson json;
    json[entry.fromInput ? "input" : "from"] = entry.source;
    json["to"] = entry.target;
    if (entry.operand >= 0) {
        json["operand"] = entry.operand;
    }
    // Parallel edges were added up: the first one carries the sum.
    if (!entry.fromInput && graph.hasEdgeBytes()) {
        json["bytes"] = entry.repeated ? 0 : graph.edgeBytes(entry.edge);
    }
    if (!entry.fromInput && graph.hasEdgeFileTransfer()) {
        json["transfer"] = entry.repeated ? 0 : graph.edgeFileTransfer(entry.edge);
    }
    return json;
}

} // namespace

ReadGraph readGraphJson(const JsonField& root, const std::string& where) {
    root.allowOnly(
        {"format", "name", "description", "costUnit", "inputs", "ops", "edges", "outputs"});
    GraphBuilder builder(root.stringOr("name", std::filesystem::path(where).stem().string()));
    const FileCostUnit unit = readCostUnit(root);
    builder.setFileCostUnit(unit);
    int inputCount = 0;
    if (const auto inputs = root.find("inputs")) {
        for (const JsonField& input : inputs->elements()) {
            inputCount = builder.addInput(readInput(input)) + 1;
        }
    }
    OpLookup lookup;
    for (const JsonField& field : root["ops"].elements()) {
        OpSpec spec = readOp(field, unit != FileCostUnit::None);
        const std::string name = spec.name;
        lookup.add(name, builder.addOp(std::move(spec)));
    }
    for (const JsonField& edge : root["edges"].elements()) {
        readEdge(edge, lookup, inputCount, builder);
    }
    if (const auto outputs = root.find("outputs")) {
        for (const JsonField& output : outputs->elements()) {
            builder.markOutput(lookup(output));
        }
    }
    ReadGraph result;
    result.format = kGraphJsonFormat;
    try {
        result.graph = builder.build();
    } catch (const InputError& error) {
        throw InputError(where + ": " + error.what());
    }
    if (builder.mergedEdges() > 0) {
        result.report.notes.push_back(
            countNote(static_cast<std::size_t>(builder.mergedEdges()), "duplicate edge", "merged"));
    }
    return result;
}

ReadGraph parseGraphJson(std::string_view text, const std::string& where) {
    const JsonDocument document = parseJson(text, where);
    return readGraphJson(requireFormat(document, kGraphJsonFormat), where);
}

std::string writeGraphJson(const Graph& graph) {
    JsonText text;
    text.member("format", kGraphJsonFormat);
    text.member("name", graph.name());
    for (const auto& [unit, word] : kCostUnits) {
        if (graph.fileCostUnit() == unit) {
            text.member("costUnit", word);
        }
    }
    if (graph.inputCount() > 0) {
        text.beginList("inputs");
        for (const GraphInput& input : graph.inputs()) {
            text.element(inputJson(input));
        }
        text.endList();
    }
    text.beginList("ops");
    for (OpId op = 0; op < graph.opCount(); ++op) {
        text.element(opJson(graph, op));
    }
    text.endList();
    text.beginList("edges");
    for (const EdgeEntry& entry : edgesInBuildOrder(graph)) {
        text.element(edgeJson(graph, entry));
    }
    text.endList();
    if (!graph.outputs().empty()) {
        text.member("outputs", graph.outputs());
    }
    return text.finish();
}

} // namespace doppler::io
