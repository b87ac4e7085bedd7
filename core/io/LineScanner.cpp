#include "core/io/LineScanner.h"

#include <charconv>
#include <limits>

#include "core/graph/InputError.h"
#include "core/io/MessageText.h"

namespace doppler::io {

namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}
} // namespace

LineScanner::LineScanner(std::string_view text, std::string where)
    : rest_(text), where_(std::move(where)) {
    if (rest_.starts_with("\xEF\xBB\xBF")) {
        rest_.remove_prefix(3);
    }
}

bool LineScanner::next() {
    if (rest_.empty()) {
        return false;
    }
    const std::size_t end = rest_.find('\n');
    line_ = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    return true;
}

std::string LineScanner::place() const {
    return where_ + ", line " + std::to_string(number_);
}

std::vector<std::string_view> LineScanner::fields() const {
    std::vector<std::string_view> fields;
    std::string_view left = line_;
    while (!left.empty()) {
        const std::size_t comma = left.find(',');
        fields.push_back(trimmed(left.substr(0, comma)));
        left.remove_prefix(comma == std::string_view::npos ? left.size() : comma + 1);
    }
    return fields;
}

std::vector<std::string_view> LineScanner::words() const {
    std::vector<std::string_view> words;
    std::string_view left = line_;
    while (!left.empty()) {
        const std::size_t end = left.find_first_of(kBlanks);
        words.push_back(left.substr(0, end));
        left = end == std::string_view::npos ? std::string_view() : trimmed(left.substr(end));
    }
    return words;
}

std::int64_t LineScanner::integer(std::string_view field, const std::string& what,
                                  std::int64_t largest) const {
    std::int64_t value = 0;
    const char* end = field.data() + field.size();
    const auto [stop, error] = std::from_chars(field.data(), end, value);
    const bool whole = stop == end && !field.empty();
    if (whole && error == std::errc() && value >= 0 && value <= largest) {
        return value;
    }
    const std::string expected = largest == std::numeric_limits<std::int64_t>::max()
                                     ? "a whole number from 0 to " + std::to_string(largest)
                                     : "0 to " + std::to_string(largest);
    throw InputError(place(), what + " " + quotedText(field), expected);
}

} // namespace doppler::io
