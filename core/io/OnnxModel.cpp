#include "core/io/OnnxModel.h"

#include <limits>

#include <google/protobuf/io/coded_stream.h>

#include "core/graph/InputError.h"
#include "core/io/MessageText.h"

namespace doppler::io {

namespace {

using google::protobuf::io::CodedInputStream;

constexpr int kGraphField = 7;

enum WireType : unsigned { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

/// The wire type of a field of ModelProto, or nothing for a number that is not in use.
std::optional<WireType> wireTypeOf(int field) {
    switch (field) {
    case 1: // ir_version
    case 5: // model_version
        return kVarint;
    case 2: // producer_name
    case 3: // producer_version
    case 4: // domain
    case 6: // doc_string
    case kGraphField:
    case 8:  // opset_import
    case 14: // metadata_props
    case 20: // training_info
    case 25: // functions
    case 26: // configuration
        return kBytes;
    default:
        return std::nullopt;
    }
}

/// What the outermost fields of the bytes tell.
struct Outline {
    bool isModel = false;
    std::int64_t missing = 0; ///< bytes that the last field lacks
    std::int64_t graphBytes = -1;
};

/// Reads the outermost fields only.
Outline outlineOf(std::string_view bytes) {
    Outline outline;
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        return outline;
    }
    CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                            static_cast<int>(bytes.size()));
    constexpr int kTypeBits = 3;
    while (stream.CurrentPosition() < static_cast<int>(bytes.size())) {
        const std::uint32_t tag = stream.ReadTag();
        const auto expected = wireTypeOf(static_cast<int>(tag >> kTypeBits));
        if (tag == 0 || expected != static_cast<WireType>(tag & ((1U << kTypeBits) - 1))) {
            return {};
        }
        std::uint64_t value = 0;
        if (!stream.ReadVarint64(&value)) {
            return {};
        }
        if (*expected == kVarint) {
            continue;
        }
        const auto left = bytes.size() - static_cast<std::size_t>(stream.CurrentPosition());
        const bool graph = static_cast<int>(tag >> kTypeBits) == kGraphField;
        if (graph) {
            outline.isModel = true;
            outline.graphBytes =
                static_cast<std::int64_t>(std::min<std::uint64_t>(value, 1U << 31));
        }
        if (value > left) {
            outline.missing = static_cast<std::int64_t>(std::min<std::uint64_t>(value, 1U << 31)) -
                              static_cast<std::int64_t>(left);
            return outline;
        }
        stream.Skip(static_cast<int>(value));
    }
    return outline;
}

void addNames(const onnx::TypeProto& type, std::set<std::string>& names) {
    for (const auto& dimension : type.tensor_type().shape().dim()) {
        if (!dimension.dim_param().empty()) {
            names.insert(dimension.dim_param());
        }
    }
}

} // namespace

bool looksLikeOnnx(std::string_view bytes) {
    return outlineOf(bytes).isModel;
}

onnx::ModelProto parseOnnxModel(std::string_view bytes, const std::string& where) {
    const Outline outline = outlineOf(bytes);
    if (outline.missing > 0) {
        throw InputError(where,
                         "a model that ends after " + std::to_string(bytes.size()) +
                             " bytes, in the middle of its graph",
                         std::to_string(outline.missing) + " bytes more (was it cut off?)");
    }
    CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                            static_cast<int>(bytes.size()));
    onnx::ModelProto model;
    if (!outline.isModel || !model.ParsePartialFromCodedStream(&stream) ||
        !stream.ConsumedEntireMessage()) {
        throw InputError(where,
                         "bytes that do not parse as protobuf, at or after byte " +
                             std::to_string(stream.CurrentPosition()),
                         "an ONNX model (onnx.ModelProto)");
    }
    return model;
}

std::set<std::string> dimensionNames(const onnx::ModelProto& model) {
    std::set<std::string> names;
    const onnx::GraphProto& graph = model.graph();
    for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()}) {
        for (const auto& value : *values) {
            addNames(value.type(), names);
        }
    }
    return names;
}

void requireDimensions(const onnx::ModelProto& model, const std::string& where,
                       const GraphDimensions& asked) {
    const std::set<std::string> names = dimensionNames(model);
    for (const auto& [name, size] : asked) {
        if (names.contains(name)) {
            continue;
        }
        std::string known;
        for (const std::string& each : names) {
            known += (known.empty() ? "" : ", ") + toUtf8(each);
        }
        throw InputError(where, "no dimension called " + quotedText(name),
                         known.empty() ? "no sizes: the model leaves no dimension open"
                                       : "one of " + known);
    }
}

std::vector<std::string> onnxDimensions(std::string_view bytes) {
    try {
        const std::set<std::string> names = dimensionNames(parseOnnxModel(bytes, "model"));
        return {names.begin(), names.end()};
    } catch (const InputError&) {
        return {};
    }
}

} // namespace doppler::io
