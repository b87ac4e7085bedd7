#include "core/io/OnnxInference.h"

#include <algorithm>
#include <cstring>

#include <onnx/defs/schema.h>

#include "core/graph/SaturatingMath.h"
#include "core/io/OnnxConstants.h"

namespace doppler::io {

namespace {

using graph::elementCount;
using graph::Shape;
using onnx::AttributeProto;
using onnx::NodeProto;
using onnx::TensorProto;
using onnx::TypeProto;

/// The newest operator set that the library knows.
constexpr int kLibraryVersion = 17;
constexpr std::size_t kMostDimensions = 64;
/// Larger tensors are kept from the library: it multiplies dimensions without a check.
constexpr std::int64_t kMostElements = std::int64_t{1} << 50;

template <typename Number>
bool copyRaw(const std::string& raw, std::size_t count, std::vector<std::int64_t>& to) {
    if (raw.size() != count * sizeof(Number)) {
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        Number number{};
        std::memcpy(&number, raw.data() + i * sizeof(Number), sizeof(Number));
        to.push_back(static_cast<std::int64_t>(number));
    }
    return true;
}

template <typename Number>
bool copyRaw(const std::string& raw, std::size_t count, std::vector<double>& to) {
    if (raw.size() != count * sizeof(Number)) {
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        Number number{};
        std::memcpy(&number, raw.data() + i * sizeof(Number), sizeof(Number));
        to.push_back(static_cast<double>(number));
    }
    return true;
}

template <typename Field, typename To>
bool copyField(const Field& field, std::size_t count, To& to) {
    to.assign(field.begin(), field.end());
    return to.size() == count;
}

/// The numbers of a tensor that lie in the file.
std::optional<OnnxConstant> numbersOf(const TensorProto& tensor, std::int64_t elements) {
    if (elements > kMostConstantElements || tensor.data_location() == TensorProto::EXTERNAL) {
        return std::nullopt;
    }
    const auto count = static_cast<std::size_t>(elements);
    const bool raw = tensor.has_raw_data();
    OnnxConstant numbers;
    bool complete = false;
    switch (tensor.data_type()) {
    case TensorProto::INT64:
        complete = raw ? copyRaw<std::int64_t>(tensor.raw_data(), count, numbers.ints)
                       : copyField(tensor.int64_data(), count, numbers.ints);
        break;
    case TensorProto::INT32:
        complete = raw ? copyRaw<std::int32_t>(tensor.raw_data(), count, numbers.ints)
                       : copyField(tensor.int32_data(), count, numbers.ints);
        break;
    case TensorProto::BOOL:
        complete = raw ? copyRaw<std::int8_t>(tensor.raw_data(), count, numbers.ints)
                       : copyField(tensor.int32_data(), count, numbers.ints);
        break;
    case TensorProto::FLOAT:
        numbers.isReal = true;
        complete = raw ? copyRaw<float>(tensor.raw_data(), count, numbers.reals)
                       : copyField(tensor.float_data(), count, numbers.reals);
        break;
    case TensorProto::DOUBLE:
        numbers.isReal = true;
        complete = raw ? copyRaw<double>(tensor.raw_data(), count, numbers.reals)
                       : copyField(tensor.double_data(), count, numbers.reals);
        break;
    default:
        break;
    }
    return complete ? std::optional(std::move(numbers)) : std::nullopt;
}

TypeProto typeOf(const OnnxValue& value) {
    TypeProto type;
    if (!value.isTensor()) {
        type.ParseFromString(value.otherType);
        return type;
    }
    type.mutable_tensor_type()->set_elem_type(value.elementType);
    if (value.shape) {
        auto* shape = type.mutable_tensor_type()->mutable_shape();
        for (const std::int64_t dimension : *value.shape) {
            shape->add_dim()->set_dim_value(dimension);
        }
    }
    return type;
}

TensorProto tensorOf(const OnnxValue& value) {
    TensorProto tensor;
    tensor.set_data_type(value.elementType);
    for (const std::int64_t dimension : *value.shape) {
        tensor.add_dims(dimension);
    }
    for (const std::int64_t number : value.constant->ints) {
        if (value.elementType == TensorProto::INT64) {
            tensor.add_int64_data(number);
        } else {
            tensor.add_int32_data(static_cast<std::int32_t>(number));
        }
    }
    for (const double number : value.constant->reals) {
        if (value.elementType == TensorProto::DOUBLE) {
            tensor.add_double_data(number);
        } else {
            tensor.add_float_data(static_cast<float>(number));
        }
    }
    return tensor;
}

/// A type that the library found. Dimensions that only a run can tell count as 1, as a guess.
OnnxValue foundValue(const TypeProto& type) {
    OnnxValue value;
    if (type.value_case() == TypeProto::VALUE_NOT_SET) {
        return value;
    }
    if (!type.has_tensor_type()) {
        value.otherType = type.SerializeAsString();
        return value;
    }
    value.elementType = type.tensor_type().elem_type();
    const auto& dimensions = type.tensor_type().shape().dim();
    if (!type.tensor_type().has_shape() || dimensions.size() > static_cast<int>(kMostDimensions)) {
        return value;
    }
    Shape shape;
    for (const auto& dimension : dimensions) {
        const bool known = dimension.has_dim_value();
        if (known && dimension.dim_value() < 0) {
            return value;
        }
        value.assumed = value.assumed || !known;
        shape.push_back(known ? dimension.dim_value() : 1);
    }
    value.shape = std::move(shape);
    return value;
}

/// A node with what is known of its operands, as the library asks for it.
class NodeContext : public onnx::InferenceContext {
public:
    NodeContext(const NodeProto& node, const OnnxOperation& operation)
        : inputTypes_(operation.inputs.size())
        , inputData_(operation.inputs.size())
        , outputTypes_(static_cast<std::size_t>(node.output_size())) {
        for (const AttributeProto& attribute : node.attribute()) {
            attributes_.emplace(attribute.name(), &attribute);
        }
        for (std::size_t i = 0; i < operation.inputs.size(); ++i) {
            const OnnxValue* value = operation.inputs[i];
            if (value == nullptr || (value->isTensor() && value->elementType == 0)) {
                continue;
            }
            inputTypes_[i] = typeOf(*value);
            if (value->constant && value->shape) {
                inputData_[i] = tensorOf(*value);
            }
        }
    }

    const AttributeProto* getAttribute(const std::string& name) const override {
        const auto found = attributes_.find(name);
        return found == attributes_.end() ? nullptr : found->second;
    }
    std::size_t getNumInputs() const override { return inputTypes_.size(); }
    const TypeProto* getInputType(std::size_t i) const override {
        return inputTypes_.at(i) ? &*inputTypes_[i] : nullptr;
    }
    const TensorProto* getInputData(std::size_t i) const override {
        return inputData_.at(i) ? &*inputData_[i] : nullptr;
    }
    std::size_t getNumOutputs() const override { return outputTypes_.size(); }
    TypeProto* getOutputType(std::size_t i) override { return &outputTypes_.at(i); }
    onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override {
        throw onnx::InferenceError("no inference inside \"" + name + "\"");
    }
    const onnx::SparseTensorProto* getInputSparseData(std::size_t) const override {
        return nullptr;
    }
    const onnx::TensorShapeProto* getSymbolicInput(std::size_t) const override { return nullptr; }

    std::vector<OnnxValue> found() const {
        std::vector<OnnxValue> values;
        for (const TypeProto& type : outputTypes_) {
            values.push_back(foundValue(type));
        }
        return values;
    }

private:
    std::map<std::string, const AttributeProto*> attributes_;
    std::vector<std::optional<TypeProto>> inputTypes_;
    std::vector<std::optional<TensorProto>> inputData_;
    std::vector<TypeProto> outputTypes_;
};

/// The node as the library's newest version of the operator has it: axes are an attribute of
/// reductions there, and attributes that came later are unknown.
NodeProto olderNode(const NodeProto& node, const OnnxOperation& operation,
                    const onnx::OpSchema& schema) {
    NodeProto older = node;
    const bool axesAsOperand =
        operation.opType.starts_with("Reduce") && node.input_size() == 2 && schema.max_input() == 1;
    if (axesAsOperand && operation.inputs[1] != nullptr && operation.inputs[1]->constant) {
        older.mutable_input()->RemoveLast();
        AttributeProto* axes = older.add_attribute();
        axes->set_name("axes");
        axes->set_type(AttributeProto::INTS);
        for (const std::int64_t axis : operation.inputs[1]->constant->ints) {
            axes->add_ints(axis);
        }
    }
    auto* attributes = older.mutable_attribute();
    attributes->erase(std::remove_if(attributes->begin(), attributes->end(),
                                     [&](const AttributeProto& attribute) {
                                         return !schema.attributes().contains(attribute.name());
                                     }),
                      attributes->end());
    return older;
}

/// Why the library must not see the node: it divides by some attributes and multiplies dimensions
/// without a look at them.
std::string faultOf(const OnnxOperation& operation) {
    for (const char* name : {"strides", "dilations", "kernel_shape", "blocksize", "group",
                             "num_groups", "hidden_size"}) {
        const auto found = operation.numbers.find(name);
        if (found != operation.numbers.end() &&
            std::any_of(found->second.begin(), found->second.end(),
                        [](std::int64_t number) { return number < 1; })) {
            return std::string("its attribute \"") + name + "\" is not positive";
        }
    }
    for (const OnnxValue* value : operation.inputs) {
        if (value != nullptr && value->shape && elementCount(*value->shape) > kMostElements) {
            return "an operand is too large";
        }
    }
    return {};
}

std::vector<OnnxValue> libraryResults(const NodeProto& node, const OnnxOperation& operation,
                                      const onnx::OpSchema& schema, std::string& problem) {
    problem = faultOf(operation);
    if (!problem.empty()) {
        return {};
    }
    try {
        const bool newer = operation.domain.empty() && operation.version > kLibraryVersion;
        const NodeProto known = newer ? olderNode(node, operation, schema) : node;
        schema.Verify(known);
        OnnxOperation trimmed = operation;
        trimmed.inputs.resize(static_cast<std::size_t>(known.input_size()));
        NodeContext context(known, trimmed);
        schema.GetTypeAndShapeInferenceFunction()(context);
        return context.found();
    } catch (const std::exception& error) {
        problem = error.what();
        return {};
    }
}

const OnnxValue* firstKnown(const OnnxOperation& operation) {
    for (const OnnxValue* value : operation.inputs) {
        if (value != nullptr && value->isTensor() && value->shape) {
            return value;
        }
    }
    return nullptr;
}

OnnxValue like(const OnnxValue& value) {
    OnnxValue result = value;
    result.constant.reset();
    return result;
}

/// Operators without a rule in the library whose first result is like the first operand.
bool isShapeKeeping(const std::string& opType) {
    static constexpr std::string_view kNames[] = {"SkipLayerNormalization",
                                                  "SimplifiedLayerNormalization",
                                                  "SkipSimplifiedLayerNormalization",
                                                  "GroupNormalization",
                                                  "RMSNormalization",
                                                  "MeanVarianceNormalization",
                                                  "LayerNormalization",
                                                  "Gelu",
                                                  "FastGelu",
                                                  "BiasGelu",
                                                  "QuickGelu",
                                                  "Mish",
                                                  "Swish",
                                                  "RotaryEmbedding",
                                                  "MultiHeadAttention",
                                                  "Celu",
                                                  "BitwiseNot"};
    return std::find(std::begin(kNames), std::end(kNames), opType) != std::end(kNames);
}

/// [batch, seq] ids and a table [words, hidden] give [batch, seq, hidden].
OnnxValue embeddingResult(const OnnxOperation& operation) {
    OnnxValue value;
    const Shape* ids = operation.inputShape(0);
    const Shape* table = operation.inputShape(2);
    if (ids != nullptr && table != nullptr && ids->size() == 2 && table->size() == 2) {
        value.elementType = operation.input(2)->elementType;
        value.shape = Shape{(*ids)[0], (*ids)[1], (*table)[1]};
    }
    return value;
}

/// See fusedAttention() of the costs; the second result is past and new keys and values.
void addFusedAttention(const OnnxOperation& operation, std::vector<OnnxValue>& results) {
    const Shape* x = operation.inputShape(0);
    const Shape* weights = operation.inputShape(1);
    if (x == nullptr || weights == nullptr || x->size() != 3 || weights->size() != 2) {
        return;
    }
    results[0] = like(*operation.input(0));
    results[0].shape->back() = (*weights)[1] / 3;
    const std::int64_t heads = operation.number("num_heads", 0);
    if (results.size() > 1 && heads > 0) {
        const Shape* past = operation.inputShape(4);
        const std::int64_t before = past != nullptr && past->size() == 5 ? (*past)[3] : 0;
        results[1] = results[0];
        results[1].shape = Shape{2, (*x)[0], heads, graph::saturatingAdd(before, (*x)[1]),
                                 results[0].shape->back() / heads};
    }
}

/// Results of operators that the library does not know; guesses say that they are.
std::vector<OnnxValue> ownResults(const OnnxOperation& operation, std::size_t count) {
    std::vector<OnnxValue> results(count);
    if (count == 0) {
        return results;
    }
    const bool microsoft = operation.domain == "com.microsoft";
    if ((microsoft || operation.domain.empty()) && isShapeKeeping(operation.opType) &&
        operation.inputShape(0) != nullptr) {
        results[0] = like(*operation.input(0));
        constexpr std::size_t kSumOfSkip = 3;
        if (operation.opType.starts_with("Skip") && count > kSumOfSkip) {
            results[kSumOfSkip] = results[0];
        }
        return results;
    }
    if (microsoft && operation.opType == "EmbedLayerNormalization") {
        results[0] = embeddingResult(operation);
        if (count > 1 && results[0].shape) {
            results[1].elementType = TensorProto::INT32;
            results[1].shape = Shape{results[0].shape->front()};
        }
        if (count > 2) {
            results[2] = results[0];
        }
    } else if (microsoft && operation.opType == "Attention") {
        addFusedAttention(operation, results);
    }
    if (const OnnxValue* first = firstKnown(operation); first != nullptr && !results[0].shape) {
        results[0] = like(*first);
        results[0].assumed = true;
    }
    return results;
}

} // namespace

OnnxValue onnxValueOf(const TensorProto& tensor) {
    OnnxValue value;
    value.elementType = tensor.data_type();
    Shape shape(tensor.dims().begin(), tensor.dims().end());
    const bool sensible = shape.size() <= kMostDimensions &&
                          std::all_of(shape.begin(), shape.end(), [](auto d) { return d >= 0; });
    if (!sensible) {
        return value;
    }
    value.constant = numbersOf(tensor, elementCount(shape));
    value.shape = std::move(shape);
    return value;
}

OnnxOperation onnxOperationOf(const NodeProto& node, int version) {
    OnnxOperation operation;
    operation.opType = node.op_type();
    operation.domain = node.domain() == "ai.onnx" ? std::string() : node.domain();
    operation.version = version;
    for (const AttributeProto& attribute : node.attribute()) {
        if (attribute.has_i()) {
            operation.numbers[attribute.name()] = {attribute.i()};
        } else if (attribute.ints_size() > 0 || attribute.type() == AttributeProto::INTS) {
            operation.numbers[attribute.name()].assign(attribute.ints().begin(),
                                                       attribute.ints().end());
        } else if (attribute.has_s()) {
            operation.words[attribute.name()] = attribute.s();
        } else if (attribute.has_t() && attribute.name() == "value") {
            operation.tensor = onnxValueOf(attribute.t());
        }
    }
    return operation;
}

std::vector<OnnxValue> inferOnnxResults(const NodeProto& node, const OnnxOperation& operation,
                                        std::string& problem) {
    const auto count = static_cast<std::size_t>(node.output_size());
    // A fused product is a product, as far as shapes go.
    const bool product = operation.opType == "FusedMatMul" && operation.number("transA", 0) == 0 &&
                         operation.number("transB", 0) == 0;
    const onnx::OpSchema* schema =
        product
            ? onnx::OpSchemaRegistry::Schema("MatMul", kLibraryVersion)
            : onnx::OpSchemaRegistry::Schema(operation.opType, operation.version, operation.domain);
    if (schema == nullptr || !schema->has_type_and_shape_inference_function()) {
        return ownResults(operation, count);
    }
    NodeProto asked = node;
    if (product) {
        asked.set_op_type("MatMul");
        asked.clear_domain();
        asked.clear_attribute();
    }
    std::vector<OnnxValue> results = libraryResults(asked, operation, *schema, problem);
    results.resize(count);
    if (operation.opType == "Dropout" && count > 1 && results[0].shape && !results[1].shape) {
        results[1] = like(results[0]); // which elements it kept
        results[1].elementType = TensorProto::BOOL;
    }
    return results;
}

} // namespace doppler::io
