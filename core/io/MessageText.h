#pragma once

#include <string>
#include <string_view>

namespace doppler::io {

/// A piece of foreign text for a message: in quotes, shortened, unprintable bytes as \xNN.
std::string quotedText(std::string_view text);

/// Bytes as text that is valid UTF-8: every byte that is not becomes U+FFFD.
std::string toUtf8(std::string_view text);

/// "line 3, column 14" of a byte offset.
std::string lineAndColumn(std::string_view text, std::size_t offset);

} // namespace doppler::io
