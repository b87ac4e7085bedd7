#include "core/io/GraphDimensions.h"

#include <charconv>

#include "core/graph/InputError.h"
#include "core/io/MessageText.h"
#include "core/io/Onnx.h"

namespace doppler::io {

namespace {

bool exists(const std::string& path) {
    std::error_code unreadable; // a path too long to exist, say
    return std::filesystem::exists(path, unreadable);
}

/// "batch=8" into `dimensions`.
void addDimension(const std::string& text, GraphDimensions& dimensions) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 40;
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const std::string size = equals == std::string::npos ? "" : text.substr(equals + 1);
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(size.data(), size.data() + size.size(), value);
    const bool number = fault == std::errc() && end == size.data() + size.size();
    if (name.empty() || !number || value < 1 || value > kLargest) {
        const bool nothing = !name.empty() && number && value == 0;
        throw InputError("dimension",
                         quotedText(text) + (nothing ? ", which leaves nothing to compute" : ""),
                         "NAME=SIZE with a size from 1 to 2^40");
    }
    if (!dimensions.try_emplace(name, value).second) {
        throw InputError("dimension " + quotedText(name), "two sizes", "one");
    }
}

} // namespace

GraphSource parseGraphSource(const std::string& text) {
    GraphSource source{.path = text, .dimensions = {}};
    const std::size_t colon = text.rfind(':');
    if (exists(text) || colon == std::string::npos || !exists(text.substr(0, colon))) {
        return source;
    }
    source.path = text.substr(0, colon);
    source.dimensions = parseDimensions(text.substr(colon + 1));
    return source;
}

GraphDimensions parseDimensions(const std::string& text) {
    GraphDimensions dimensions;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        addDimension(text.substr(begin, end - begin), dimensions);
        begin = end + 1;
    }
    return dimensions;
}

std::string graphSourceText(const GraphSource& source) {
    std::string text = source.path.string();
    char separator = ':';
    for (const auto& [name, size] : source.dimensions) {
        text += separator + name + '=' + std::to_string(size);
        separator = ',';
    }
    return text;
}

std::vector<std::string> openDimensions(std::string_view text) {
    return looksLikeOnnx(text) ? onnxDimensions(text) : std::vector<std::string>();
}

std::vector<OpenDimension> inputDimensions(std::string_view text) {
    return looksLikeOnnx(text) ? onnxInputDimensions(text) : std::vector<OpenDimension>();
}

} // namespace doppler::io
