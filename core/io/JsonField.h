#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace doppler::io {

using Json = nlohmann::json;

/// A parsed JSON text and where it came from.
struct JsonDocument {
    std::string where;
    Json root;
};

class JsonField;

/// Parses JSON (a byte order mark is skipped). Throws InputError with line and column for a syntax
/// error, a number beyond double, a key that stands twice in one object, or nesting deeper than
/// kDeepestJson.
JsonDocument parseJson(std::string_view text, const std::string& where);

inline constexpr int kDeepestJson = 100;

/// A value inside a JsonDocument, read as the type that is expected there. Every mismatch throws
/// InputError with the JSON pointer of the value, what was found, and what was expected.
/// Cheap to copy; the document must outlive it.
///
///     const JsonField ops = JsonField(document)["ops"];
///     for (std::size_t i = 0; i < ops.size(); ++i) { use(ops[i]["name"].string()); }
class JsonField {
public:
    explicit JsonField(const JsonDocument& document)
        : document_(&document), value_(&document.root) {}

    const Json& json() const { return *value_; }
    bool isObject() const { return value_->is_object(); }
    bool isArray() const { return value_->is_array(); }
    bool isString() const { return value_->is_string(); }
    bool isInteger() const { return value_->is_number_integer(); }
    bool isNumber() const { return value_->is_number(); }

    /// A required member of an object.
    JsonField operator[](const char* key) const;
    /// A member that may be absent (or null).
    std::optional<JsonField> find(const char* key) const;
    /// The members of an object, by key.
    std::vector<std::pair<std::string_view, JsonField>> members() const;
    /// Throws for the first member whose key is not listed: a misspelt key is never ignored.
    void allowOnly(std::initializer_list<std::string_view> keys) const;

    /// Elements of an array.
    std::size_t size() const;
    JsonField operator[](std::size_t index) const;
    std::vector<JsonField> elements() const;

    const std::string& string() const;
    bool boolean() const;
    std::int64_t integer(std::int64_t least = 0,
                         std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
    std::int32_t integer32(std::int32_t least = 0,
                           std::int32_t most = std::numeric_limits<std::int32_t>::max()) const;
    /// The full range of unsigned 64-bit numbers, as seeds need it.
    std::uint64_t unsignedInteger() const;
    /// A finite number of at least `least`.
    double number(double least = 0) const;

    std::int64_t integerOr(const char* key, std::int64_t fallback, std::int64_t least = 0) const;
    double numberOr(const char* key, double fallback) const;
    bool booleanOr(const char* key, bool fallback) const;
    std::string stringOr(const char* key, std::string_view fallback) const;

    /// "file.json, /devices/2/name".
    std::string place() const;
    [[noreturn]] void fail(const std::string& expected) const;
    [[noreturn]] void fail(const std::string& found, const std::string& expected) const;

private:
    JsonField(const JsonDocument* document, const Json* value)
        : document_(document), value_(value) {}

    const JsonDocument* document_;
    const Json* value_;
};

/// Requires the root to be an object with this "format"; returns it.
JsonField requireFormat(const JsonDocument& document, std::string_view format);

} // namespace doppler::io
