#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/io/ChakraNode.h"
#include "core/io/ForeignFormats.h"

// Converters write the same trace in several spellings: "Id", "id"; "data_deps", "dataDeps";
// "runtime", "duration_micros", "durationMicros"; types as numbers or names; 64-bit numbers as
// numbers or as strings, as protobuf's own JSON has them.

namespace doppler::io {

namespace {

constexpr double kMostNumber = 1e18;
constexpr std::array<std::string_view, 11> kTypeWords{
    "INVALID_NODE", "METADATA_NODE",  "MEM_LOAD_NODE",  "MEM_STORE_NODE",
    "COMP_NODE",    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE",
    "STORAGE_NODE", "BATCH_NODE",     "CHECKPOINT_NODE"};

/// A key without what the spellings differ in.
std::string plainKey(std::string_view key) {
    std::string plain;
    for (const char c : key) {
        if (c != '_') {
            plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    return plain;
}

/// A number, or a string of one.
double numberOf(const JsonField& field) {
    if (!field.isString()) {
        return field.number(-kMostNumber);
    }
    const std::string& text = field.string();
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(value)) {
        field.fail("a number");
    }
    return value;
}

std::int64_t wholeOf(const JsonField& field) {
    return std::llround(std::clamp(numberOf(field), -1.0, kMostNumber));
}

std::uint64_t idOf(const JsonField& field) {
    if (!field.isString()) {
        return field.unsignedInteger();
    }
    const std::string& text = field.string();
    std::uint64_t id = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc() || stop != text.data() + text.size()) {
        field.fail("a node's id");
    }
    return id;
}

std::vector<std::uint64_t> idsOf(const JsonField& list) {
    std::vector<std::uint64_t> ids;
    for (const JsonField& id : list.elements()) {
        ids.push_back(idOf(id));
    }
    return ids;
}

std::int64_t typeOf(const JsonField& field) {
    if (field.isString()) {
        const auto* const known =
            std::find(kTypeWords.begin(), kTypeWords.end(), std::string_view(field.string()));
        if (known != kTypeWords.end()) {
            return known - kTypeWords.begin();
        }
    }
    return wholeOf(field);
}

/// {"name": "comm_size", "int64Val": "1048576"}
void readAttribute(const JsonField& attribute, ChakraNode& node) {
    const std::string name = attribute.stringOr("name", "");
    if (name != "comm_size" && name != "comm_type") {
        return;
    }
    for (const auto& [key, value] : attribute.members()) {
        if (key != "name" && (value.isNumber() || value.isString())) {
            (name == "comm_size" ? node.communicationBytes : node.collective) = wholeOf(value);
        }
    }
}

void readOutputs(const JsonField& outputs, ChakraNode& node) {
    if (outputs.isObject()) {
        node.outputValues = outputs.stringOr("values", "");
        node.outputShapes = outputs.stringOr("shapes", "");
        node.outputTypes = outputs.stringOr("types", "");
    }
}

ChakraNode readNode(const JsonField& object) {
    ChakraNode node;
    bool identified = false;
    for (const auto& [key, value] : object.members()) {
        const std::string plain = plainKey(key);
        if (plain == "id") {
            node.id = idOf(value);
            identified = true;
        } else if (plain == "name") {
            node.name = value.string();
        } else if (plain == "type" || plain == "nodetype") {
            node.type = typeOf(value);
        } else if (plain == "datadeps") {
            node.dataDependencies = idsOf(value);
        } else if (plain == "ctrldeps") {
            node.controlDependencies = idsOf(value);
        } else if (plain == "runtime" || plain == "durationmicros") {
            node.microseconds = numberOf(value);
        } else if (plain == "commsize") {
            node.communicationBytes = wholeOf(value);
        } else if (plain == "commtype") {
            node.collective = typeOf(value);
        } else if (plain == "outputs") {
            readOutputs(value, node);
        } else if (plain == "attr" || plain == "attrs") {
            for (const JsonField& attribute : value.elements()) {
                readAttribute(attribute, node);
            }
        }
    }
    // Protobuf's JSON leaves out what is 0, so the first node may lack its id.
    if (!identified && node.name.empty()) {
        object.fail("an object without id and name", "a node of the trace");
    }
    return node;
}

bool looksLikeNode(const JsonField& value) {
    if (!value.isObject()) {
        return false;
    }
    const auto members = value.members();
    return std::any_of(members.begin(), members.end(), [](const auto& member) {
        const std::string key = plainKey(member.first);
        return key == "datadeps" || key == "ctrldeps" || key == "durationmicros" ||
               (key == "type" && member.second.isString() &&
                std::find(kTypeWords.begin(), kTypeWords.end(),
                          std::string_view(member.second.string())) != kTypeWords.end());
    });
}

/// The trace's metadata, where it stands in the list of nodes.
bool isMetadata(const JsonField& value) {
    return value.isObject() && value.find("version") && !value.find("name");
}

} // namespace

std::string joinedJsonObjects(std::string_view text) {
    constexpr std::size_t kLongestFirst = 1 << 16;
    int depth = 0;
    bool quoted = false;
    std::size_t objects = 0;
    std::size_t copied = 0;
    std::string joined;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            i += c == '\\' ? 1 : 0;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' && depth++ == 0 && ++objects > 1) {
            joined.append(joined.empty() ? "[" : ",").append(text.substr(copied, i - copied));
            copied = i;
        } else if (c == '}') {
            --depth;
        } else if (depth == 0 && std::string_view(" \t\r\n").find(c) == std::string_view::npos) {
            return {}; // not a row of objects
        }
        if (objects < 2 && i > kLongestFirst) {
            return {};
        }
    }
    return objects < 2 ? std::string() : joined.append(",").append(text.substr(copied)).append("]");
}

bool looksLikeChakraJson(const JsonField& root) {
    if (root.isObject()) {
        return root.find("workload_graph").has_value();
    }
    constexpr std::size_t kLooked = 3;
    for (std::size_t i = 0; root.isArray() && i < std::min(root.size(), kLooked); ++i) {
        if (looksLikeNode(root[i])) {
            return true;
        }
    }
    return false;
}

ReadGraph readChakraJson(const JsonField& root, const std::string& where) {
    const std::vector<JsonField> list =
        root.isArray() ? root.elements() : root["workload_graph"].elements();
    std::vector<ChakraNode> nodes;
    for (const JsonField& node : list) {
        if (!isMetadata(node)) {
            nodes.push_back(readNode(node));
        }
    }
    return buildChakraGraph(nodes, where, "Chakra trace (JSON)");
}

} // namespace doppler::io
