#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/io/GraphDimensions.h"
#include "core/io/OnnxProto.h"
#include "core/io/OnnxValue.h"

namespace doppler::io {

/// Gives the open dimensions of a model their sizes: those asked for, and 1 for the others.
class OnnxDimensions {
public:
    explicit OnnxDimensions(const GraphDimensions& asked) : asked_(asked) {}

    /// The type of a model's input: its open dimensions are taken as given, and remembered.
    OnnxValue inputValue(const onnx::TypeProto& type);
    /// The type that a file declares for a value inside: an open dimension that no input has and
    /// nobody asked for is a guess.
    OnnxValue declaredValue(const onnx::TypeProto& type);

    /// Names of open dimensions of inputs, with the size taken.
    const GraphDimensions& taken() const { return taken_; }
    bool wasAsked(const std::string& name) const { return asked_.contains(name); }
    /// How many dimensions of inputs have neither size nor name.
    int unnamed() const { return unnamed_; }

private:
    OnnxValue valueOf(const onnx::TypeProto& type, bool input);

    const GraphDimensions& asked_;
    GraphDimensions taken_;
    int unnamed_ = 0;
};

} // namespace doppler::io
