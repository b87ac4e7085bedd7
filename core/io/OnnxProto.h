#pragma once

// The messages of ONNX, as Debian's library is built. Heavy: for the sources Onnx*.cpp that need
// them, and for tests that build models.

#define ONNX_ML 1
#define ONNX_NAMESPACE onnx

#include <onnx/onnx_pb.h>
