#pragma once

#include "core/io/OnnxValue.h"

namespace doppler::io {

/// The most elements a constant has that shapes are computed from.
inline constexpr std::int64_t kMostConstantElements = 4096;

/// Works out the first result of an operation on small constants, as models compute their shapes
/// with: Shape, Gather, Concat, Slice, arithmetic, ... Nothing if an operand is not known or the
/// operator is none of these. The result's shape is set.
std::optional<OnnxValue> onnxConstantResult(const OnnxOperation& operation);

} // namespace doppler::io
