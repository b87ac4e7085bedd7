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

/// A copy of the model that says on which device of the cluster each node runs: ONNX's device
/// configuration (ModelProto.configuration, NodeProto.device_configurations; IR version 11), named
/// after the cluster. `graph` is what parseOnnx() made of the model. Where a node calls a function
/// whose ops are on several devices, it gets none, and `notes` says so. Throws InputError if the
/// bytes are no such model.
std::string writeOnnxDevices(std::string_view model, const std::string& where,
                             const graph::Graph& graph, const sim::Assignment& assignment,
                             const cluster::Cluster& cluster, std::vector<std::string>& notes);

/// The assignment in such a model: of the configuration named after the cluster, or the first one.
/// Devices are found by name, or by number if the cluster has other names. Throws InputError if a
/// node has no device, or one that the cluster lacks.
sim::Assignment readOnnxDevices(std::string_view model, const std::string& where,
                                const graph::Graph& graph, const cluster::Cluster& cluster);

/// Names of the model's open dimensions; none if it cannot be read.
std::vector<std::string> onnxDimensions(std::string_view bytes);
/// See inputDimensions().
std::vector<OpenDimension> onnxInputDimensions(std::string_view bytes);

} // namespace doppler::io
