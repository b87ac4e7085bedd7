#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace doppler::io {

/// One field of a protobuf message as it is on the wire.
struct WireField {
    enum class Type : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
    std::uint32_t number = 0;
    Type type = Type::Varint;
    std::uint64_t value = 0; ///< of a varint or fixed field
    std::string_view bytes;  ///< of a string, message or packed list
    std::size_t offset = 0;  ///< in the file, of the bytes
};

/// Walks over protobuf messages without a schema: enough for readers of a few known fields, and
/// unlike generated code it can say at which byte a file is broken. The bytes must outlive it.
///
///     WireReader message(bytes, 0);
///     while (const auto field = message.next()) { use(field->number); }
///     if (!message.fault().empty()) { throw InputError(...); }
class WireReader {
public:
    /// `offset`: where in the file the bytes begin.
    WireReader(std::string_view bytes, std::size_t offset) : bytes_(bytes), offset_(offset) {}

    /// The next field; none at the end, and after a fault.
    std::optional<WireField> next();
    /// A record with its length before it, as .et files are made of; none at the end or at a fault.
    std::optional<WireField> nextRecord();
    /// A bare number, as in packed lists; none at the end or at a fault.
    std::optional<std::uint64_t> nextVarint();

    bool atEnd() const { return bytes_.empty(); }
    std::size_t offset() const { return offset_; }
    /// "byte 12: found ..., expected ..."; empty while all is well.
    const std::string& fault() const { return fault_; }

private:
    void fail(std::size_t offset, const std::string& found, const std::string& expected);
    std::string_view take(std::size_t count);
    std::optional<std::uint64_t> fixed(std::size_t count);

    std::string_view bytes_;
    std::size_t offset_;
    std::string fault_;
};

} // namespace doppler::io
