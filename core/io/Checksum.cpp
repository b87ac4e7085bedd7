#include "core/io/Checksum.h"

#include <array>
#include <charconv>

#include <zlib.h>

#include "core/graph/InputError.h"

namespace doppler::io {

namespace {

/// The line that stands before `body`.
std::string checksumLine(std::string_view body) {
    return hexText(::crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size())) + "\n";
}

} // namespace

std::string withChecksum(std::string_view body) {
    std::string file = checksumLine(body);
    file += body;
    return file;
}

void takeChecksum(std::string_view& bytes, const std::string& where) {
    const std::string_view line = bytes.substr(0, bytes.find('\n') + 1);
    bytes.remove_prefix(line.size());
    if (line != checksumLine(bytes)) {
        failAsDamaged(where, "bytes of another checksum");
    }
}

void failAsDamaged(const std::string& where, const std::string& found) {
    throw InputError(where + " is damaged", found, "the bytes that training wrote");
}

std::string hexText(std::uint64_t value) {
    constexpr int kHex = 16;
    std::array<char, kHex> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value, kHex);
    return {text.data(), end};
}

} // namespace doppler::io
