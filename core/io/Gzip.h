#pragma once

#include <string>
#include <string_view>

namespace doppler::io {

/// True if the bytes begin as a gzip file does.
bool looksGzipped(std::string_view bytes);

/// What a gzip file holds, all its members one after another. Throws InputError for a damaged or
/// cut-off file, and for one that would unpack to more than 2 GiB or, beyond 64 MiB, to more than
/// 200 times its size: only files made to exhaust memory do.
std::string gunzip(std::string_view bytes, const std::string& where);

} // namespace doppler::io
