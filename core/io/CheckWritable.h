#pragma once

#include <filesystem>

namespace doppler::io {

/// Throws std::runtime_error, as writeFileAtomically() would, if the file cannot be written: to be
/// called before long work. Leaves nothing behind, and what is there as it is.
void checkWritable(const std::filesystem::path& path);

} // namespace doppler::io
