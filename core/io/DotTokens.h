#pragma once

#include <string>
#include <string_view>

namespace doppler::io {

struct DotToken {
    enum class Kind { Word, Quoted, Html, Symbol, End };
    Kind kind = Kind::End;
    std::string text; ///< without quotes; of a symbol: "{", "->", ...
    std::size_t offset = 0;

    bool isId() const { return kind == Kind::Word || kind == Kind::Quoted || kind == Kind::Html; }
    bool isSymbol(std::string_view symbol) const { return kind == Kind::Symbol && text == symbol; }
    /// Keywords do not care for case, and are none in quotes.
    bool isKeyword(std::string_view word) const;
};

/// Splits DOT text into tokens, comments left out.
class DotTokens {
public:
    DotTokens(std::string_view text, std::string where);

    const DotToken& peek() const { return next_; }
    DotToken take();
    [[noreturn]] void fail(const DotToken& token, const std::string& expected) const;

private:
    void advance();
    void skipBlanks();
    DotToken quotedToken();
    DotToken htmlToken();
    DotToken wordToken();
    [[noreturn]] void failAt(std::size_t offset, const std::string& found,
                             const std::string& expected) const;

    std::string_view text_;
    std::string where_;
    std::size_t position_ = 0;
    DotToken next_;
};

} // namespace doppler::io
