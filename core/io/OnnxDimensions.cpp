#include "core/io/OnnxDimensions.h"

namespace doppler::io {

namespace {
constexpr int kMostDimensions = 64;
}

OnnxValue OnnxDimensions::inputValue(const onnx::TypeProto& type) {
    return valueOf(type, true);
}

OnnxValue OnnxDimensions::declaredValue(const onnx::TypeProto& type) {
    return valueOf(type, false);
}

OnnxValue OnnxDimensions::valueOf(const onnx::TypeProto& type, bool input) {
    OnnxValue value;
    if (!type.has_tensor_type()) {
        if (type.value_case() != onnx::TypeProto::VALUE_NOT_SET) {
            value.otherType = type.SerializeAsString();
        }
        return value;
    }
    value.elementType = type.tensor_type().elem_type();
    const auto& dimensions = type.tensor_type().shape().dim();
    if (!type.tensor_type().has_shape() || dimensions.size() > kMostDimensions) {
        return value;
    }
    graph::Shape shape;
    for (const auto& dimension : dimensions) {
        if (dimension.has_dim_value() && dimension.dim_value() >= 0) {
            shape.push_back(dimension.dim_value());
            continue;
        }
        const std::string& name = dimension.dim_param();
        const auto asked = name.empty() ? asked_.end() : asked_.find(name);
        const bool known = asked != asked_.end();
        shape.push_back(known ? asked->second : 1);
        if (input && !name.empty()) {
            taken_[name] = shape.back();
        } else if (input) {
            ++unnamed_;
        } else if (!known && !taken_.contains(name)) {
            value.assumed = true;
        }
    }
    value.shape = std::move(shape);
    return value;
}

} // namespace doppler::io
