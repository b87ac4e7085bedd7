#pragma once

#include "core/io/OnnxProto.h"
#include "core/io/OnnxValue.h"

namespace doppler::io {

/// What a tensor or attribute of a model says of itself. Small numbers are kept as a constant.
OnnxValue onnxValueOf(const onnx::TensorProto& tensor);

/// Attributes, operator and version of a node; its operands are left to the caller.
OnnxOperation onnxOperationOf(const onnx::NodeProto& node, int version);

/// Types and shapes of a node's results: by the library's rules of shape inference, and by own ones
/// for operators that it does not know. One value for each result. Where nothing is found, type and
/// shape stay unknown and `problem` says why. Never throws for a model's faults.
std::vector<OnnxValue> inferOnnxResults(const onnx::NodeProto& node, const OnnxOperation& operation,
                                        std::string& problem);

} // namespace doppler::io
