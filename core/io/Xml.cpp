#include "core/io/Xml.h"

#include <expat.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "core/graph/InputError.h"
#include "core/io/ForeignFormats.h"

namespace doppler::io {

namespace {

constexpr int kDeepest = 100;

std::string_view localName(const char* name) {
    const std::string_view text = name;
    const std::size_t colon = text.rfind(':');
    return colon == std::string_view::npos ? text : text.substr(colon + 1);
}

/// Carries events to a handler and errors back past the C library.
struct Session {
    XML_Parser parser;
    XmlHandler& handler;
    int depth = 0;
    std::optional<std::string> error;

    template <typename Action>
    void guard(Action action) {
        if (error) {
            return;
        }
        try {
            action();
        } catch (const std::exception& problem) {
            // Nothing may be thrown through the parser's C frames.
            error = problem.what();
            XML_StopParser(parser, XML_FALSE);
        }
    }
};

void onStart(void* data, const char* name, const char** pairs) {
    auto& session = *static_cast<Session*>(data);
    session.guard([&] {
        if (++session.depth > kDeepest) {
            throw InputError("elements nested deeper than " + std::to_string(kDeepest));
        }
        Attributes attributes;
        for (; *pairs != nullptr; pairs += 2) {
            attributes.emplace_back(localName(pairs[0]), pairs[1]);
        }
        session.handler.start(localName(name), attributes);
    });
}

void onEnd(void* data, const char* name) {
    auto& session = *static_cast<Session*>(data);
    session.guard([&] {
        --session.depth;
        session.handler.end(localName(name));
    });
}

/// Entities make a small file large, and no graph needs them.
void onEntityDeclaration(void* data, const char*, int, const char*, int, const char*, const char*,
                         const char*, const char*) {
    auto& session = *static_cast<Session*>(data);
    session.guard([] { throw InputError("entity declarations are not accepted"); });
}

void onText(void* data, const char* text, int length) {
    auto& session = *static_cast<Session*>(data);
    session.guard(
        [&] { session.handler.text(std::string_view(text, static_cast<std::size_t>(length))); });
}

} // namespace

void parseXml(std::string_view text, const std::string& where, XmlHandler& handler) {
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
        XML_ParserCreate(nullptr), XML_ParserFree);
    Session session{parser.get(), handler, 0, {}};
    XML_SetUserData(parser.get(), &session);
    XML_SetElementHandler(parser.get(), onStart, onEnd);
    XML_SetCharacterDataHandler(parser.get(), onText);
    XML_SetEntityDeclHandler(parser.get(), onEntityDeclaration);

    constexpr std::size_t kChunk = std::size_t{1} << 24; // the library takes int lengths
    bool accepted = true;
    do {
        const std::size_t length = std::min(text.size(), kChunk);
        const int last = length == text.size() ? 1 : 0;
        accepted =
            XML_Parse(parser.get(), text.data(), static_cast<int>(length), last) == XML_STATUS_OK;
        text.remove_prefix(length);
    } while (accepted && !text.empty());
    if (accepted && !session.error) {
        return;
    }
    const std::string place = where + ", line " +
                              std::to_string(XML_GetCurrentLineNumber(parser.get())) + ", column " +
                              std::to_string(XML_GetCurrentColumnNumber(parser.get()) + 1);
    throw InputError(place + ": " +
                     session.error.value_or("bad XML: " + std::string(XML_ErrorString(
                                                              XML_GetErrorCode(parser.get())))));
}

const std::string& requiredAttribute(const Attributes& attributes, const char* key,
                                     const char* element) {
    const std::string* value = findAttribute(attributes, key);
    if (value == nullptr || value->empty()) {
        throw InputError("element \"" + std::string(element) + "\"",
                         "no \"" + std::string(key) + "\"", "one");
    }
    return *value;
}

namespace {

/// One past a declaration "<!...>": its quoted words and the declarations in its brackets may hold
/// ">" themselves. npos if it does not end.
std::size_t declarationEnd(std::string_view text) {
    int brackets = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (text.substr(i).starts_with("<!--")) {
            i = text.find("-->", i);
        } else if (text.substr(i).starts_with("<?")) {
            i = text.find("?>", i);
        } else if (c == '"' || c == '\'') {
            i = text.find(c, i + 1);
        } else if (c == '[' || c == ']') {
            brackets += c == '[' ? 1 : -1;
        } else if (c == '>' && brackets <= 0) {
            return i + 1;
        }
        if (i == std::string_view::npos) {
            break;
        }
    }
    return std::string_view::npos;
}

/// One past a comment, an instruction or a declaration.
std::size_t prologItemEnd(std::string_view text) {
    if (text.starts_with("<!") && !text.starts_with("<!--")) {
        return declarationEnd(text);
    }
    const std::string_view end = text.starts_with("<?") ? "?>" : "-->";
    const std::size_t found = text.find(end);
    return found == std::string_view::npos ? found : found + end.size();
}

} // namespace

std::string xmlRoot(std::string_view text) {
    while (text.starts_with('<')) {
        if (!text.starts_with("<?") && !text.starts_with("<!")) {
            const std::string name(text.substr(1, text.find_first_of(" \t\r\n/>") - 1));
            return std::string(localName(name.c_str()));
        }
        const std::size_t end = prologItemEnd(text);
        if (end == std::string_view::npos) {
            break;
        }
        text.remove_prefix(end);
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    }
    return {};
}

} // namespace doppler::io
