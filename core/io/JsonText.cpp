#include "core/io/JsonText.h"

#include <cmath>
#include <utility>

namespace doppler::io {

std::string jsonRow(const OrderedJson& json) {
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

OrderedJson tidyNumber(double value) {
    constexpr double kExactlyWhole = 9007199254740992.0; // 2^53
    if (std::floor(value) == value && std::abs(value) < kExactlyWhole) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

void JsonText::key(std::string_view key) {
    text_ += firstMember_ ? "\n  " : ",\n  ";
    text_ += jsonRow(std::string(key)) + ": ";
    firstMember_ = false;
}

void JsonText::member(std::string_view name, const OrderedJson& value) {
    rawMember(name, jsonRow(value));
}

void JsonText::rawMember(std::string_view name, std::string_view json) {
    key(name);
    text_ += json;
}

void JsonText::beginList(std::string_view name) {
    key(name);
    text_ += "[";
    firstElement_ = true;
}

void JsonText::element(const OrderedJson& value) {
    rawElement(jsonRow(value));
}

void JsonText::rawElement(std::string_view json) {
    text_ += firstElement_ ? "\n    " : ",\n    ";
    text_ += json;
    firstElement_ = false;
}

void JsonText::endList() {
    text_ += firstElement_ ? "]" : "\n  ]";
}

std::string JsonText::finish() {
    text_ += "\n}\n";
    firstMember_ = true;
    return std::exchange(text_, "{");
}

} // namespace doppler::io
