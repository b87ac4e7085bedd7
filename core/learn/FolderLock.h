#pragma once

#include <filesystem>

namespace doppler::learn {

/// Holds a folder for one training. The kernel drops it with the process, however that ends, so
/// none is ever left over; nothing is written. Where a file system knows no locks, it holds
/// nothing.
class FolderLock {
public:
    FolderLock() = default; ///< holds nothing
    /// Throws InputError if another training holds the folder, in this process or in any other.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&& other) noexcept;

private:
    int folder_ = -1;
};

} // namespace doppler::learn
