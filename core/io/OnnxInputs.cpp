// What a model leaves for whoever opens it to decide.

#include <algorithm>
#include <set>

#include "core/graph/InputError.h"
#include "core/io/MessageText.h"
#include "core/io/Onnx.h"
#include "core/io/OnnxModel.h"

namespace doppler::io {

namespace {

/// Whether parseGraphSource() finds the name again.
bool canBeNamed(const std::string& name) {
    return !name.empty() && name.find_first_of(",:=") == std::string::npos && toUtf8(name) == name;
}

} // namespace

std::vector<OpenDimension> onnxInputDimensions(std::string_view bytes) {
    onnx::ModelProto model;
    try {
        model = parseOnnxModel(bytes, "model");
    } catch (const InputError&) {
        return {};
    }
    std::set<std::string> weights;
    for (const auto& tensor : model.graph().initializer()) {
        weights.insert(tensor.name());
    }
    std::vector<OpenDimension> found;
    for (const auto& input : model.graph().input()) {
        if (weights.contains(input.name())) {
            continue;
        }
        int number = 0;
        for (const auto& dimension : input.type().tensor_type().shape().dim()) {
            ++number;
            const std::string& name = dimension.dim_param();
            if (!canBeNamed(name)) {
                continue;
            }
            auto entry = std::find_if(found.begin(), found.end(),
                                      [&](const OpenDimension& each) { return each.name == name; });
            if (entry == found.end()) {
                entry = found.insert(found.end(), {name, {}});
            }
            entry->places.push_back(toUtf8(input.name()) + ", dimension " + std::to_string(number));
        }
    }
    return found;
}

} // namespace doppler::io
