#pragma once

#include <string>
#include <string_view>

#include "core/io/GraphDimensions.h"
#include "core/sim/Problem.h"

namespace doppler::io {

/// True for the bytes of an ONNX model, also of one that was cut off.
bool looksLikeOnnx(std::string_view bytes);

/// An ONNX model. Functions of the model are inlined; an op with subgraphs (If, Loop, Scan) is one
/// op of their summed costs, reading what they read. Weights are graph inputs; data in other files
/// is not needed. Operators without a cost rule are kept with an estimate. Throws InputError.
ReadGraph parseOnnx(std::string_view bytes, const std::string& where,
                    const GraphDimensions& dimensions = {});

/// Names of the model's open dimensions; none if it cannot be read.
std::vector<std::string> onnxDimensions(std::string_view bytes);

} // namespace doppler::io
