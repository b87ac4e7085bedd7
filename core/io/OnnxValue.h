#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/DType.h"

namespace doppler::io {

/// Numbers of a small tensor that are known before running: shapes are computed from them.
/// One of the two lists is in use.
struct OnnxConstant {
    std::vector<std::int64_t> ints;
    std::vector<double> reals;
    bool isReal = false;

    std::size_t size() const { return isReal ? reals.size() : ints.size(); }
};

/// What is known about a tensor of an ONNX model before it runs.
struct OnnxValue {
    int elementType = 0; ///< TensorProto.DataType; 0: unknown
    std::optional<graph::Shape> shape;
    std::string otherType; ///< serialised TypeProto of what is no tensor (a sequence, say)
    std::optional<OnnxConstant> constant;
    bool assumed = false; ///< type or a dimension is a guess

    bool isTensor() const { return otherType.empty(); }
};

/// Bytes of so many elements of an ONNX type; 0 for an unknown type. Saturates.
std::int64_t onnxBytes(int elementType, std::int64_t elements);
/// Bytes of a tensor; 0 unless type and shape are known.
std::int64_t onnxBytes(const OnnxValue& value);
graph::DType onnxDType(int elementType);

/// A node with what is known of its operands, as costs and constants are worked out from it.
/// Operands that are absent, and values of which nothing is known, are null.
struct OnnxOperation {
    std::string opType;
    std::string domain; ///< empty: the standard operators
    int version = 0;    ///< of the operator set
    std::vector<const OnnxValue*> inputs;
    std::vector<const OnnxValue*> outputs;
    std::map<std::string, std::vector<std::int64_t>>
        numbers; ///< attributes of one or more integers
    std::map<std::string, std::string> words;
    std::optional<OnnxValue> tensor; ///< attribute "value", and the like of a Constant

    std::int64_t number(const std::string& name, std::int64_t otherwise) const;
    /// Null if there is no such operand.
    const OnnxValue* input(std::size_t i) const { return i < inputs.size() ? inputs[i] : nullptr; }
    /// Null unless the operand's shape is known.
    const graph::Shape* inputShape(std::size_t i) const;
    const graph::Shape* outputShape(std::size_t i) const;
};

} // namespace doppler::io
