#pragma once

#include <set>

#include "core/io/Onnx.h"
#include "core/io/OnnxProto.h"

namespace doppler::io {

/// The messages of a model's bytes. Throws InputError with the place of the fault.
onnx::ModelProto parseOnnxModel(std::string_view bytes, const std::string& where);

/// Names of the device configurations in the model.
std::vector<std::string> deviceConfigurations(const onnx::ModelProto& model);

/// Names of the dimensions that the model's inputs, outputs and declared values leave open.
std::set<std::string> dimensionNames(const onnx::ModelProto& model);

/// Throws InputError if a size is given for a name that the model does not have.
void requireDimensions(const onnx::ModelProto& model, const std::string& where,
                       const GraphDimensions& asked);

} // namespace doppler::io
