#include "core/io/WireReader.h"

namespace doppler::io {

namespace {

constexpr unsigned kBitsPerByte = 7; // the eighth says that more follow
constexpr unsigned kLongestVarint = 10;
constexpr std::uint64_t kLargestFieldNumber = (std::uint64_t{1} << 29U) - 1;

} // namespace

void WireReader::fail(std::size_t offset, const std::string& found, const std::string& expected) {
    if (fault_.empty()) {
        fault_ = "byte " + std::to_string(offset) + ": found " + found + ", expected " + expected;
    }
    bytes_ = {};
}

std::string_view WireReader::take(std::size_t count) {
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    offset_ += count;
    return taken;
}

std::optional<std::uint64_t> WireReader::nextVarint() {
    if (atEnd()) {
        return std::nullopt;
    }
    const std::size_t start = offset_;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < kLongestVarint; ++i) {
        if (atEnd()) {
            fail(start, "a number that the end cuts off", "the rest of it");
            return std::nullopt;
        }
        const auto byte = static_cast<unsigned char>(take(1).front());
        value |= std::uint64_t{byte & 0x7FU} << (i * kBitsPerByte);
        if (byte < 0x80U) {
            return value;
        }
    }
    fail(start, "a number of more than 64 bits", "a smaller one");
    return std::nullopt;
}

std::optional<std::uint64_t> WireReader::fixed(std::size_t count) {
    if (bytes_.size() < count) {
        fail(offset_, "a number that the end cuts off", "the rest of it");
        return std::nullopt;
    }
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const char byte : take(count)) {
        value |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
        shift += 8;
    }
    return value;
}

std::optional<WireField> WireReader::nextRecord() {
    const std::optional<std::uint64_t> length = nextVarint();
    if (!length) {
        return std::nullopt;
    }
    if (*length > bytes_.size()) {
        fail(offset_, "a record that needs " + std::to_string(*length) + " bytes",
             "no more than the " + std::to_string(bytes_.size()) + " that are left (cut off?)");
        return std::nullopt;
    }
    WireField field{.type = WireField::Type::Bytes, .offset = offset_};
    field.bytes = take(static_cast<std::size_t>(*length));
    return field;
}

std::optional<WireField> WireReader::next() {
    const std::size_t start = offset_;
    const std::optional<std::uint64_t> tag = nextVarint();
    if (!tag) {
        return std::nullopt;
    }
    const std::uint64_t number = *tag >> 3U;
    if (number == 0 || number > kLargestFieldNumber) {
        fail(start, "field number " + std::to_string(number), "a protobuf field");
        return std::nullopt;
    }
    WireField field;
    std::optional<std::uint64_t> value;
    switch (*tag & 7U) {
    case 0:
        value = nextVarint();
        break;
    case 1:
        field.type = WireField::Type::Fixed64;
        value = fixed(8);
        break;
    case 2:
        if (const auto record = nextRecord()) {
            field = *record;
            value = 0;
        }
        break;
    case 5:
        field.type = WireField::Type::Fixed32;
        value = fixed(4);
        break;
    default:
        fail(start, "wire type " + std::to_string(*tag & 7U), "a protobuf field");
        return std::nullopt;
    }
    if (!value) {
        fail(start, "a field without its value", "the rest of it"); // unless it is said already
        return std::nullopt;
    }
    field.number = static_cast<std::uint32_t>(number);
    field.value = *value;
    return field;
}

} // namespace doppler::io
