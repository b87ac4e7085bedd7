#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace doppler::io {

/// `body` after a line with its CRC-32 in hexadecimal digits, so that damage is noticed.
std::string withChecksum(std::string_view body);

/// Takes that line away. Throws InputError as failAsDamaged() does if there is none, or if it is
/// the line of other bytes than those that follow.
void takeChecksum(std::string_view& bytes, const std::string& where);

/// Throws the InputError of a file of a training, named by `where`, that is not as it was written.
[[noreturn]] void failAsDamaged(const std::string& where, const std::string& found);

/// Lower-case hexadecimal digits.
std::string hexText(std::uint64_t value);

} // namespace doppler::io
