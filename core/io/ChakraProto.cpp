#include <algorithm>
#include <limits>

#include "core/graph/InputError.h"
#include "core/io/ChakraNode.h"
#include "core/io/ForeignFormats.h"
#include "core/io/WireReader.h"

// A file is a GlobalMetadata message and then Node messages, each behind its length. Numbers of
// fields are those of the schema, et_def.proto of mlcommons/chakra.

namespace doppler::io {

namespace {

using Type = WireField::Type;

namespace metadata {
enum Field : std::uint32_t { Version = 1, Attribute = 2 };
}
namespace node {
enum Field : std::uint32_t {
    Id = 1,
    Name = 2,
    NodeType = 3,
    ControlDependencies = 4,
    DataDependencies = 5,
    Duration = 7,
    Outputs = 9,
    Attribute = 10,
};
}
namespace output {
enum Field : std::uint32_t { Values = 1, Shapes = 2, Types = 3 };
}
constexpr std::uint32_t kAttributeName = 1;
constexpr std::uint32_t kAttributeFirstSigned = 15; // sint32 and sint64 are zigzag
constexpr std::uint32_t kAttributeLastSigned = 17;

void require(const WireReader& message, const std::string& where) {
    if (!message.fault().empty()) {
        throw InputError(where + ", " + message.fault());
    }
}

std::int64_t clamped(std::uint64_t value) {
    return static_cast<std::int64_t>(
        std::min<std::uint64_t>(value, std::numeric_limits<std::int64_t>::max()));
}

/// A repeated number, packed or not.
void readList(const WireField& field, std::vector<std::uint64_t>& list, const std::string& where) {
    if (field.type != Type::Bytes) {
        list.push_back(field.value);
        return;
    }
    WireReader packed(field.bytes, field.offset);
    while (const auto value = packed.nextVarint()) {
        list.push_back(*value);
    }
    require(packed, where);
}

/// Whole numbers of any of the schema's types.
void readAttribute(const WireField& field, ChakraNode& result, const std::string& where) {
    WireReader message(field.bytes, field.offset);
    std::string_view name;
    std::int64_t value = -1;
    while (const auto part = message.next()) {
        if (part->number == kAttributeName) {
            name = part->bytes;
        } else if (part->type == Type::Varint) {
            const bool zigzag =
                part->number == kAttributeFirstSigned || part->number == kAttributeLastSigned;
            value = zigzag ? clamped(part->value >> 1U) : static_cast<std::int64_t>(part->value);
        }
    }
    require(message, where);
    if (name == "comm_size") {
        result.communicationBytes = value;
    } else if (name == "comm_type") {
        result.collective = value;
    }
}

void readOutputs(const WireField& field, ChakraNode& result, const std::string& where) {
    WireReader message(field.bytes, field.offset);
    while (const auto part = message.next()) {
        if (part->number == output::Values) {
            result.outputValues = part->bytes;
        } else if (part->number == output::Shapes) {
            result.outputShapes = part->bytes;
        } else if (part->number == output::Types) {
            result.outputTypes = part->bytes;
        }
    }
    require(message, where);
}

ChakraNode readNode(const WireField& record, const std::string& where) {
    ChakraNode result;
    WireReader message(record.bytes, record.offset);
    while (const auto field = message.next()) {
        switch (field->number) {
        case node::Id:
            result.id = field->value;
            break;
        case node::Name:
            result.name = field->bytes;
            break;
        case node::NodeType:
            result.type = static_cast<std::int64_t>(field->value);
            break;
        case node::ControlDependencies:
            readList(*field, result.controlDependencies, where);
            break;
        case node::DataDependencies:
            readList(*field, result.dataDependencies, where);
            break;
        case node::Duration:
            result.microseconds = static_cast<double>(field->value);
            break;
        case node::Outputs:
            readOutputs(*field, result, where);
            break;
        case node::Attribute:
            readAttribute(*field, result, where);
            break;
        default:
            break; // start times, inputs, storage: nothing that a placement needs
        }
    }
    require(message, where);
    return result;
}

/// A version and attributes, nothing else.
bool isMetadata(const WireField& record) {
    WireReader message(record.bytes, record.offset);
    bool known = !record.bytes.empty();
    while (const auto field = message.next()) {
        known = known && field->type == Type::Bytes &&
                (field->number == metadata::Version || field->number == metadata::Attribute);
    }
    return known && message.fault().empty();
}

/// Digits and line breaks can read as a length and fields; but no trace is without the bytes of
/// lengths and field numbers that a text never has.
bool isText(std::string_view bytes) {
    return std::none_of(bytes.begin(), bytes.end(), [](char c) {
        return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t';
    });
}

} // namespace

bool looksLikeChakra(std::string_view bytes) {
    WireReader file(bytes, 0);
    const auto record = file.nextRecord();
    return record && isMetadata(*record) && !isText(bytes);
}

ReadGraph parseChakra(std::string_view bytes, const std::string& where) {
    WireReader file(bytes, 0);
    file.nextRecord(); // the metadata
    std::vector<ChakraNode> nodes;
    while (const auto record = file.nextRecord()) {
        nodes.push_back(readNode(*record, where));
    }
    require(file, where);
    return buildChakraGraph(nodes, where, "Chakra trace");
}

} // namespace doppler::io
