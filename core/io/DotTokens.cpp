#include "core/io/DotTokens.h"

#include <algorithm>

#include "core/graph/InputError.h"
#include "core/io/MessageText.h"

namespace doppler::io {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isWordByte(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

bool DotToken::isKeyword(std::string_view word) const {
    return kind == Kind::Word && std::equal(text.begin(), text.end(), word.begin(), word.end(),
                                            [](char a, char b) { return lower(a) == b; });
}

DotTokens::DotTokens(std::string_view text, std::string where)
    : text_(text), where_(std::move(where)) {
    if (text_.starts_with("\xEF\xBB\xBF")) {
        position_ = 3;
    }
    advance();
}

DotToken DotTokens::take() {
    DotToken token = std::move(next_);
    advance();
    return token;
}

void DotTokens::failAt(std::size_t offset, const std::string& found,
                       const std::string& expected) const {
    throw InputError(where_ + ", " + lineAndColumn(text_, offset), found, expected);
}

void DotTokens::fail(const DotToken& token, const std::string& expected) const {
    failAt(token.offset,
           token.kind == DotToken::Kind::End ? "the end of the text" : quotedText(token.text),
           expected);
}

void DotTokens::skipBlanks() {
    while (position_ < text_.size()) {
        const std::string_view left = text_.substr(position_);
        constexpr std::string_view kBlanks = " \t\r\n\f\v";
        if (kBlanks.find(left.front()) != std::string_view::npos) {
            ++position_;
        } else if (left.starts_with("/*")) {
            const std::size_t end = left.find("*/", 2);
            if (end == std::string_view::npos) {
                failAt(position_, "a comment without end", "\"*/\"");
            }
            position_ += end + 2;
        } else if (left.starts_with("//") || left.front() == '#') {
            // A preprocessor line starts with #; we are as lenient as to allow blanks before it.
            position_ += std::min(left.find('\n'), left.size());
        } else {
            return;
        }
    }
}

DotToken DotTokens::quotedToken() {
    DotToken token{DotToken::Kind::Quoted, {}, position_};
    for (++position_; position_ < text_.size(); ++position_) {
        const char c = text_[position_];
        if (c == '"') {
            ++position_;
            return token;
        }
        const char following = position_ + 1 < text_.size() ? text_[position_ + 1] : '\0';
        if (c == '\\' && (following == '"' || following == '\\')) {
            // A double backslash keeps its meaning for labels, where "\n" has one as well.
            token.text += following == '"' ? "\"" : "\\";
            ++position_;
        } else if (c == '\\' && following == '\n') {
            ++position_;
        } else if (c == '\\' && following == '\r') {
            position_ += text_.substr(position_).starts_with("\\\r\n") ? 2 : 1;
        } else if (c == '\\' && following == 'n') {
            token.text += '\n';
            ++position_;
        } else {
            token.text += c;
        }
    }
    failAt(token.offset, "a quoted text without end", "a closing quote");
}

DotToken DotTokens::htmlToken() {
    DotToken token{DotToken::Kind::Html, {}, position_};
    std::size_t depth = 0;
    for (; position_ < text_.size(); ++position_) {
        const char c = text_[position_];
        depth += c == '<' ? 1 : 0;
        depth -= c == '>' ? 1 : 0;
        token.text += c;
        if (depth == 0) {
            ++position_;
            token.text = token.text.substr(1, token.text.size() - 2);
            return token;
        }
    }
    failAt(token.offset, "an HTML text without end", "\">\"");
}

DotToken DotTokens::wordToken() {
    DotToken token{DotToken::Kind::Word, {}, position_};
    const auto at = [&](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
    std::size_t end = position_;
    if (isDigit(at(end)) || at(end) == '-' || at(end) == '.') {
        end += at(end) == '-' ? 1 : 0;
        while (isDigit(at(end)) || at(end) == '.') {
            ++end;
        }
    }
    // Exporters write names that start with a digit without quotes: taken as meant.
    while (isWordByte(at(end))) {
        ++end;
    }
    if (end == position_) {
        failAt(position_, quotedText(text_.substr(position_, 1)), "a name or a symbol of DOT");
    }
    token.text = text_.substr(position_, end - position_);
    position_ = end;
    return token;
}

void DotTokens::advance() {
    skipBlanks();
    next_ = DotToken{DotToken::Kind::End, {}, position_};
    if (position_ >= text_.size()) {
        return;
    }
    const std::string_view left = text_.substr(position_);
    for (const std::string_view symbol :
         {"->", "--", "{", "}", "[", "]", "=", ";", ",", ":", "+"}) {
        if (left.starts_with(symbol)) {
            next_ = DotToken{DotToken::Kind::Symbol, std::string(symbol), position_};
            position_ += symbol.size();
            return;
        }
    }
    if (left.front() == '"') {
        next_ = quotedToken();
        // "a" + "b" is one text.
        for (skipBlanks(); position_ < text_.size() && text_[position_] == '+'; skipBlanks()) {
            ++position_;
            skipBlanks();
            if (position_ >= text_.size() || text_[position_] != '"') {
                failAt(position_, "no quoted text after \"+\"", "one");
            }
            next_.text += quotedToken().text;
        }
        return;
    }
    next_ = left.front() == '<' ? htmlToken() : wordToken();
}

} // namespace doppler::io
