#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace doppler::io {

/// Walks the lines of a text (LF or CRLF; a leading byte order mark is skipped) and reads the
/// numbers in them. Throws InputError with "<where>, line N".
class LineScanner {
public:
    LineScanner(std::string_view text, std::string where);

    /// Moves to the next line; false at the end of the text.
    bool next();
    /// The current line without its line break, spaces trimmed.
    std::string_view line() const { return line_; }
    int number() const { return number_; }
    /// "<where>, line N", for messages.
    std::string place() const;

    /// The comma-separated fields of the current line, trimmed; a trailing comma adds none.
    std::vector<std::string_view> fields() const;

    /// The words of the current line, separated by blanks.
    std::vector<std::string_view> words() const;

    /// A whole number from 0 to `largest`.
    std::int64_t integer(std::string_view field, const std::string& what,
                         std::int64_t largest) const;

private:
    std::string_view rest_;
    std::string where_;
    std::string_view line_;
    int number_ = 0;
};

} // namespace doppler::io
