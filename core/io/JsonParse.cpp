#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/graph/InputError.h"
#include "core/io/JsonError.h"
#include "core/io/JsonField.h"
#include "core/io/MessageText.h"
#include "core/io/ReadMonitor.h"
#include "core/io/ReadSteps.h"

namespace doppler::io {

namespace {

/// Builds the tree like the library's own handler, and also refuses repeated keys (which would
/// silently hide one value) and deep nesting (which would exhaust the stack later).
class TreeBuilder {
public:
    // The names and types below are the library's SAX interface.
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    TreeBuilder(Json& root, std::string_view text, const std::string& where,
                const ReadMonitor* monitor)
        : root_(root), text_(text), where_(where), progress_(text, monitor) {}

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(number_integer_t value) { return add(value); }
    bool number_unsigned(number_unsigned_t value) { return add(value); }
    bool number_float(number_float_t value, const string_t&) { return add(value); }
    bool string(string_t& value) { return add(std::move(value)); }
    bool binary(binary_t&) { return false; }

    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(string_t& key) {
        const auto [member, added] = open_.back()->emplace(key, nullptr);
        if (!added) {
            throw InputError(where_, "the key " + quotedText(key) + " twice in one object",
                             "each key once");
        }
        member_ = &*member;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) {
        throwBadJson(text_, where_, position, error);
    }

private:
    template <typename Value>
    bool add(Value&& value) {
        place(std::forward<Value>(value));
        return true;
    }

    template <typename Value>
    Json* place(Value&& value) {
        progress_.step();
        if (open_.empty()) {
            root_ = std::forward<Value>(value);
            return &root_;
        }
        if (open_.back()->is_array()) {
            open_.back()->push_back(std::forward<Value>(value));
            return &open_.back()->back();
        }
        *member_ = std::forward<Value>(value);
        return member_;
    }

    bool open(Json value) {
        if (open_.size() >= static_cast<std::size_t>(kDeepestJson)) {
            throw InputError(where_, "JSON nested deeper than " + std::to_string(kDeepestJson),
                             "less nesting");
        }
        open_.push_back(place(std::move(value)));
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    Json& root_;
    std::string_view text_;
    const std::string& where_;
    std::vector<Json*> open_;
    Json* member_ = nullptr;
    JsonProgress progress_;
};

} // namespace

void throwBadJson(std::string_view text, const std::string& where, std::size_t position,
                  const nlohmann::detail::exception& error) {
    // The position counts bytes read; the last one is the culprit.
    constexpr std::size_t kShown = 16;
    const std::size_t offset = position == 0 ? 0 : position - 1;
    const std::string place = where + ", " + lineAndColumn(text, offset);
    if (offset >= text.size()) {
        throw InputError(place, "the end of the text inside a JSON value", "the rest of it");
    }
    // The library's own words, without its error id, its position and what it read last.
    std::string reason = error.what();
    if (const std::size_t colon = reason.find(": "); colon != std::string::npos) {
        reason.erase(0, colon + 2);
    }
    reason.erase(std::min(reason.find("; last read"), reason.size()));
    throw InputError(place + ": bad JSON at " + quotedText(text.substr(offset, kShown)) + ": " +
                     toUtf8(reason));
}

JsonDocument parseJson(std::string_view text, const std::string& where) {
    return parseJson(text, where, nullptr);
}

JsonDocument parseJson(std::string_view text, const std::string& where,
                       const ReadMonitor* monitor) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        throw InputError(where, "an empty text", "JSON");
    }
    JsonDocument document{where, {}};
    TreeBuilder builder(document.root, text, where, monitor);
    Json::sax_parse(text.begin(), text.end(), &builder);
    return document;
}

} // namespace doppler::io
