#include "core/learn/FolderLock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/graph/InputError.h"

namespace doppler::learn {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_ < 0) {
        return;
    }
    int locked = 0;
    do {
        locked = ::flock(folder_, LOCK_EX | LOCK_NB);
    } while (locked != 0 && errno == EINTR);
    if (locked != 0 && errno == EWOULDBLOCK) {
        ::close(folder_);
        throw InputError("folder \"" + folder.string() + "\"",
                         "one that is in use by another training",
                         "that one to end first, or another folder");
    }
}

FolderLock::~FolderLock() {
    if (folder_ >= 0) {
        ::close(folder_);
    }
}

FolderLock::FolderLock(FolderLock&& other) noexcept : folder_(std::exchange(other.folder_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
    std::swap(folder_, other.folder_);
    return *this;
}

} // namespace doppler::learn
