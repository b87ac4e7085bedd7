#include "core/io/JsonField.h"

#include <algorithm>
#include <cmath>

#include "core/graph/InputError.h"
#include "core/io/MessageText.h"

namespace doppler::io {

namespace {

/// Path from `root` to the node `wanted` as a JSON pointer. Found by search, so that reading
/// keeps no paths: it is needed once, for a message.
std::string pointerTo(const Json& root, const Json* wanted) {
    if (&root == wanted) {
        return "";
    }
    if (root.is_object() || root.is_array()) {
        for (const auto& [key, value] : root.items()) {
            if (&value == wanted) {
                return "/" + key;
            }
            if (value.is_structured()) {
                const std::string below = pointerTo(value, wanted);
                if (!below.empty()) {
                    return "/" + key + below;
                }
            }
        }
    }
    return "";
}

std::string describe(const Json& value) {
    switch (value.type()) {
    case Json::value_t::object:
        return "an object";
    case Json::value_t::array:
        return "an array of " + std::to_string(value.size());
    case Json::value_t::string:
        return quotedText(value.get_ref<const std::string&>());
    case Json::value_t::null:
        return "null";
    default:
        return value.dump();
    }
}

} // namespace

std::string JsonField::place() const {
    const std::string pointer = pointerTo(document_->root, value_);
    return document_->where + ", " + (pointer.empty() ? "top level" : pointer);
}

void JsonField::fail(const std::string& expected) const {
    fail(describe(*value_), expected);
}

void JsonField::fail(const std::string& found, const std::string& expected) const {
    throw InputError(place(), found, expected);
}

JsonField JsonField::operator[](const char* key) const {
    if (!value_->is_object()) {
        fail("an object with \"" + std::string(key) + "\"");
    }
    const auto member = value_->find(key);
    if (member == value_->end()) {
        fail("no \"" + std::string(key) + "\"", "one");
    }
    return {document_, &*member};
}

std::optional<JsonField> JsonField::find(const char* key) const {
    if (!value_->is_object()) {
        fail("an object");
    }
    const auto member = value_->find(key);
    if (member == value_->end() || member->is_null()) {
        return std::nullopt;
    }
    return JsonField(document_, &*member);
}

std::vector<std::pair<std::string_view, JsonField>> JsonField::members() const {
    if (!value_->is_object()) {
        fail("an object");
    }
    std::vector<std::pair<std::string_view, JsonField>> result;
    for (const auto& [key, value] : value_->get_ref<const Json::object_t&>()) {
        result.emplace_back(key, JsonField(document_, &value));
    }
    return result;
}

void JsonField::allowOnly(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, value] : members()) {
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
            continue;
        }
        std::string known;
        for (const std::string_view word : keys) {
            known += (known.empty() ? "" : ", ") + std::string(word);
        }
        fail("the unknown key " + quotedText(key), "one of " + known);
    }
}

std::size_t JsonField::size() const {
    if (!value_->is_array()) {
        fail("an array");
    }
    return value_->size();
}

JsonField JsonField::operator[](std::size_t index) const {
    if (index >= size()) {
        fail("an array of more than " + std::to_string(index));
    }
    return {document_, &(*value_)[index]};
}

std::vector<JsonField> JsonField::elements() const {
    std::vector<JsonField> result;
    result.reserve(size());
    for (const Json& element : *value_) {
        result.push_back(JsonField(document_, &element));
    }
    return result;
}

const std::string& JsonField::string() const {
    if (!value_->is_string()) {
        fail("a text");
    }
    return value_->get_ref<const std::string&>();
}

bool JsonField::boolean() const {
    if (!value_->is_boolean()) {
        fail("true or false");
    }
    return value_->get<bool>();
}

std::int64_t JsonField::integer(std::int64_t least, std::int64_t most) const {
    const std::string expected =
        "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    if (value_->is_number_unsigned()) {
        const auto value = value_->get<std::uint64_t>();
        if (most >= 0 && value <= static_cast<std::uint64_t>(most) &&
            (least <= 0 || value >= static_cast<std::uint64_t>(least))) {
            return static_cast<std::int64_t>(value);
        }
        fail(expected);
    }
    if (!value_->is_number_integer()) {
        fail(expected);
    }
    const auto value = value_->get<std::int64_t>();
    if (value < least || value > most) {
        fail(expected);
    }
    return value;
}

std::int32_t JsonField::integer32(std::int32_t least, std::int32_t most) const {
    return static_cast<std::int32_t>(integer(least, most));
}

std::uint64_t JsonField::unsignedInteger() const {
    if (!value_->is_number_unsigned()) {
        fail("a whole number from 0 to " +
             std::to_string(std::numeric_limits<std::uint64_t>::max()));
    }
    return value_->get<std::uint64_t>();
}

double JsonField::number(double least) const {
    const double value = value_->is_number() ? value_->get<double>() : NAN;
    if (!std::isfinite(value) || value < least) {
        fail(least == 0 ? std::string("a number of at least 0")
                        : "a number of at least " + std::to_string(least));
    }
    return value;
}

std::int64_t JsonField::integerOr(const char* key, std::int64_t fallback,
                                  std::int64_t least) const {
    const std::optional<JsonField> field = find(key);
    return field ? field->integer(least) : fallback;
}

double JsonField::numberOr(const char* key, double fallback) const {
    const std::optional<JsonField> field = find(key);
    return field ? field->number() : fallback;
}

bool JsonField::booleanOr(const char* key, bool fallback) const {
    const std::optional<JsonField> field = find(key);
    return field ? field->boolean() : fallback;
}

std::string JsonField::stringOr(const char* key, std::string_view fallback) const {
    const std::optional<JsonField> field = find(key);
    return field ? field->string() : std::string(fallback);
}

JsonField requireFormat(const JsonDocument& document, std::string_view format) {
    const JsonField root(document);
    const JsonField tag = root["format"];
    if (tag.string() != format) {
        tag.fail("\"" + std::string(format) + "\"");
    }
    return root;
}

} // namespace doppler::io
