#include "core/io/MessageText.h"

#include <algorithm>

namespace doppler::io {

namespace {

/// Length of the valid UTF-8 sequence at the front of `text`, or 0.
std::size_t sequenceLength(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) {
        return 1;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool surrogate = lead == 0xED && byte(1) > 0x9F;
    const bool beyond = lead == 0xF4 && byte(1) > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

} // namespace

std::string quotedText(std::string_view text) {
    constexpr std::size_t kLongest = 48;
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string result = "\"";
    std::size_t i = 0;
    while (i < text.size()) {
        if (i >= kLongest) {
            return result + "...\"";
        }
        const std::size_t length = sequenceLength(text.substr(i));
        const auto byte = static_cast<unsigned char>(text[i]);
        if (length == 0 || byte < 0x20 || byte == 0x7F) {
            result += {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
            ++i;
            continue;
        }
        result += text.substr(i, length);
        i += length;
    }
    return result + "\"";
}

std::string toUtf8(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t length = sequenceLength(text.substr(i));
        if (length == 0) {
            result += "\xEF\xBF\xBD";
            ++i;
            continue;
        }
        result += text.substr(i, length);
        i += length;
    }
    return result;
}

std::string lineAndColumn(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t lastBreak = before.rfind('\n');
    const std::size_t column =
        lastBreak == std::string_view::npos ? before.size() : before.size() - lastBreak - 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(column + 1);
}

} // namespace doppler::io
