#include "core/io/OnnxValue.h"

#include "core/graph/SaturatingMath.h"

namespace doppler::io {

using graph::DType;

namespace {

struct ElementType {
    DType dtype;
    int bits;
};

/// By TensorProto.DataType; the last ones came after the library's version.
constexpr ElementType kElementTypes[] = {
    {DType::Unknown, 0},                                           // undefined
    {DType::F32, 32},     {DType::I8, 8},        {DType::I8, 8},   // float, uint8, int8
    {DType::Unknown, 16}, {DType::Unknown, 16},                    // uint16, int16
    {DType::I32, 32},     {DType::I64, 64},                        // int32, int64
    {DType::Unknown, 0},                                           // string
    {DType::Bool, 8},     {DType::F16, 16},      {DType::F64, 64}, // bool, float16, double
    {DType::I32, 32},     {DType::I64, 64},                        // uint32, uint64
    {DType::C64, 64},     {DType::Unknown, 128},                   // complex64, complex128
    {DType::BF16, 16},                                             // bfloat16
    {DType::Unknown, 8},  {DType::Unknown, 8},   {DType::Unknown, 8}, {DType::Unknown, 8}, // float8
    {DType::Unknown, 4},  {DType::Unknown, 4},   {DType::Unknown, 4}, // uint4, int4, float4
    {DType::Unknown, 8},                                              // float8e8m0
};

ElementType factsOf(int elementType) {
    const bool known = elementType >= 0 && elementType < static_cast<int>(std::size(kElementTypes));
    return kElementTypes[known ? elementType : 0];
}

const graph::Shape* shapeOf(const std::vector<const OnnxValue*>& values, std::size_t i) {
    return i < values.size() && values[i] != nullptr && values[i]->shape ? &*values[i]->shape
                                                                         : nullptr;
}

} // namespace

std::int64_t onnxBytes(int elementType, std::int64_t elements) {
    constexpr std::int64_t kBitsPerByte = 8;
    const std::int64_t bits = factsOf(elementType).bits;
    if (bits >= kBitsPerByte) {
        return graph::saturatingMultiply(elements, bits / kBitsPerByte);
    }
    return bits == 0 ? 0 : elements / 2 + elements % 2;
}

std::int64_t onnxBytes(const OnnxValue& value) {
    return value.isTensor() && value.shape
               ? onnxBytes(value.elementType, graph::elementCount(*value.shape))
               : 0;
}

DType onnxDType(int elementType) {
    return factsOf(elementType).dtype;
}

std::int64_t OnnxOperation::number(const std::string& name, std::int64_t otherwise) const {
    const auto found = numbers.find(name);
    return found == numbers.end() || found->second.empty() ? otherwise : found->second.front();
}

const graph::Shape* OnnxOperation::inputShape(std::size_t i) const {
    return shapeOf(inputs, i);
}

const graph::Shape* OnnxOperation::outputShape(std::size_t i) const {
    return shapeOf(outputs, i);
}

} // namespace doppler::io
