#include "core/graph/InputError.h"
#include "core/io/ForeignFormats.h"
#include "core/io/Formats.h"
#include "core/io/GraphDimensions.h"
#include "core/io/GraphJson.h"
#include "core/io/MessageText.h"
#include "core/io/Onnx.h"
#include "core/io/ReadMonitor.h"

namespace doppler::io {

namespace {

/// The text without a byte order mark and leading blanks: what tells formats apart.
std::string_view firstWords(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

bool startsWithDigit(std::string_view text) {
    return text.front() >= '0' && text.front() <= '9';
}

bool isDax(std::string_view text) {
    return xmlRoot(text) == "adag";
}

bool isGraphMl(std::string_view text) {
    return xmlRoot(text) == "graphml";
}

/// What a file of another kind is, as its first bytes say.
const char* binaryKind(std::string_view text) {
    using namespace std::string_view_literals;
    constexpr std::size_t kTarMark = 257;
    constexpr std::pair<std::string_view, const char*> kMarks[] = {
        {"PK\x03\x04"sv, "a zip archive"},
        {"\xFD"
         "7zXZ"sv,
         "a file packed by xz"},
        {"BZh"sv, "a file packed by bzip2"},
        {"\x28\xB5\x2F\xFD"sv, "a file packed by zstd"},
        {"\x89PNG"sv, "a PNG image"},
    };
    for (const auto& [mark, kind] : kMarks) {
        if (text.starts_with(mark)) {
            return kind;
        }
    }
    return text.size() > kTarMark && text.substr(kTarMark).starts_with("ustar") ? "a tar archive"
                                                                                : "a binary file";
}

struct TextFormat {
    bool (*recognises)(std::string_view text);
    ReadGraph (*parse)(std::string_view text, const std::string& where);
};
constexpr TextFormat kTextFormats[] = {
    {looksLikeStg, parseStg}, {startsWithDigit, parseGraphText}, {looksLikeDot, parseDotGraph},
    {isDax, parseDax},        {isGraphMl, parseGraphMl},
};

struct JsonFormat {
    bool (*recognises)(const JsonField& root);
    ReadGraph (*read)(const JsonField& root, const std::string& where);
};
constexpr JsonFormat kJsonFormats[] = {
    {looksLikeSaga, readSaga},
    {looksLikeWfFormat, readWfFormat},
    {looksLikeChakraJson, readChakraJson},
};

/// A trace has times, but nothing to place.
void refuseTrace(const JsonField& root, const std::string& where) {
    const auto events = root.isObject() ? root.find("traceEvents") : std::nullopt;
    const bool bare = root.isArray() && root.size() > 0 && root[std::size_t{0}].isObject() &&
                      root[std::size_t{0}].find("ph").has_value();
    if (bare || (events && events->isArray())) {
        throw InputError(where, "a trace: a timeline, without dependencies", "a graph");
    }
}

ReadGraph readJsonGraph(const JsonDocument& document) {
    const JsonField root(document);
    refuseTrace(root, document.where);
    if (!root.isObject() || !root.find("format")) {
        for (const JsonFormat& format : kJsonFormats) {
            if (format.recognises(root)) {
                return format.read(root, document.where);
            }
        }
    }
    return readGraphJson(requireFormat(document, kGraphJsonFormat), document.where);
}

} // namespace

ReadGraph parseGraph(std::string_view text, const std::string& where) {
    return parseGraph(text, where, {});
}

ReadGraph parseGraph(std::string_view text, const std::string& where,
                     const GraphDimensions& dimensions) {
    return parseGraph(text, where, dimensions, nullptr);
}

ReadGraph parseGraph(std::string_view text, const std::string& where,
                     const GraphDimensions& dimensions, const ReadMonitor* monitor) {
    if (looksLikeOnnx(text)) {
        return parseOnnx(text, where, dimensions);
    }
    if (!dimensions.empty()) {
        throw InputError(where, "a size for dimension " + quotedText(dimensions.begin()->first),
                         "none: only ONNX models leave dimensions open");
    }
    const std::string_view words = firstWords(text);
    if (words.empty()) {
        throw InputError(where, text.empty() ? "an empty file" : "only blanks", "a graph");
    }
    if (looksLikeChakra(text)) {
        return parseChakra(text, where);
    }
    if (words.find('\0') != std::string_view::npos) {
        throw InputError(where, binaryKind(text),
                         "a graph: ONNX, a Chakra trace, JSON or text, as it is or as gzip");
    }
    if (words.front() == '{' || words.front() == '[') {
        const std::string joined = joinedJsonObjects(words);
        const JsonDocument document = parseJson(joined.empty() ? text : joined, where, monitor);
        return readJsonGraph(document);
    }
    for (const TextFormat& format : kTextFormats) {
        if (format.recognises(words)) {
            return format.parse(text, where);
        }
    }
    const std::string root = xmlRoot(words);
    throw InputError(where,
                     root.empty() ? "text that starts with " + quotedText(words.substr(0, 24))
                                  : "XML whose root is " + quotedText(root),
                     "a graph as JSON (own, SAGA, WfFormat, Chakra), the paper's text, STG, DOT, "
                     "DAX, GraphML, ONNX or a Chakra trace (a Chrome trace only to be looked at)");
}

ReadGraph readGraphFile(const std::filesystem::path& path) {
    return readGraphFile(path, {});
}

ReadGraph readGraphFile(const std::filesystem::path& path, const GraphDimensions& dimensions) {
    return parseGraph(readFile(path), path.string(), dimensions);
}

} // namespace doppler::io
