#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <stdexcept>

#include "core/graph/InputError.h"
#include "core/io/CheckWritable.h"
#include "core/io/Formats.h"
#include "core/io/Gzip.h"
#include "core/io/ReadMonitor.h"
#include "core/io/ReadSteps.h"

namespace doppler::io {

namespace {

constexpr std::size_t kLargestFile = std::size_t{2} << 30;

[[noreturn]] void failToWrite(const std::filesystem::path& path, int error) {
    throw std::runtime_error("cannot write \"" + path.string() + "\": " + std::strerror(error));
}

void writeAll(int file, std::string_view text, const std::filesystem::path& path) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            failToWrite(path, errno);
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// Closes and deletes what is left over when a write fails half way.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::filesystem::path& target) {
        std::random_device random;
        constexpr int kTries = 100;
        for (int i = 0; i < kTries; ++i) {
            path_ = target;
            path_ += ".part" + std::to_string(random());
            file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (file_ >= 0 || errno != EEXIST) {
                break;
            }
        }
        if (file_ < 0) {
            failToWrite(target, errno);
        }
    }
    ~TemporaryFile() {
        if (file_ >= 0) {
            ::close(file_);
        }
        if (!kept_) {
            ::unlink(path_.c_str());
        }
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int file() const { return file_; }

    void renameTo(const std::filesystem::path& target) {
        const int file = file_;
        file_ = -1;
        // The data must be on disk before the name points at it.
        const bool synced = ::fsync(file) == 0 || errno == EINVAL;
        const int syncError = errno;
        if (::close(file) != 0 || !synced) {
            failToWrite(target, synced ? errno : syncError);
        }
        if (::rename(path_.c_str(), target.c_str()) != 0) {
            failToWrite(target, errno);
        }
        kept_ = true;
    }

private:
    std::filesystem::path path_;
    int file_ = -1;
    bool kept_ = false;
};

/// Of the file to write; fails for a folder.
std::filesystem::file_status statusOf(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status)) {
        failToWrite(path, EISDIR);
    }
    return status;
}

/// Through a symbolic link, the file behind it is replaced, not the link.
std::filesystem::path behindLinks(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::canonical(path, error);
}

/// What the caller opened for us ends when the caller says so; devices and named pipes may never.
bool isOwnDescriptor(const std::filesystem::path& path) {
    const std::string name = path.string();
    return name == "/dev/stdin" || name.starts_with("/dev/fd/") ||
           name.starts_with("/proc/self/fd/");
}

} // namespace

std::string readFile(const std::filesystem::path& path) {
    return readFile(path, nullptr);
}

std::string readFile(const std::filesystem::path& path, const ReadMonitor* monitor) {
    const std::string where = "file \"" + path.string() + "\"";
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        throw InputError(where, "a folder", "a file");
    }
    if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error) &&
        !isOwnDescriptor(path)) {
        throw InputError(where, "not a regular file", "one (or /dev/stdin)");
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        throw InputError(where + " cannot be opened: " + std::strerror(errno));
    }
    std::string text;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    const auto failAsTooLarge = [&where] {
        throw InputError(where, "more than 2 GiB", "a smaller file");
    };
    if (!error && size > kLargestFile) {
        failAsTooLarge();
    }
    if (!error) {
        text.reserve(size + 1);
    }
    std::array<char, 1 << 16> chunk{};
    while (stream.read(chunk.data(), chunk.size()), stream.gcount() > 0) {
        text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > kLargestFile) {
            failAsTooLarge();
        }
        if (monitor != nullptr && !error && size > 0) {
            monitor->progress(kLoadedShare * static_cast<double>(text.size()) /
                              static_cast<double>(std::max<std::uintmax_t>(size, text.size())));
        }
    }
    if (stream.bad()) {
        throw InputError(where + " cannot be read: " + std::strerror(errno));
    }
    return looksGzipped(text) ? gunzip(text, path.string()) : text;
}

void writeFileAtomically(const std::filesystem::path& path, std::string_view text) {
    const std::filesystem::file_status status = statusOf(path);
    const bool exists = std::filesystem::exists(status);
    if (exists && !std::filesystem::is_regular_file(status)) {
        // A pipe or a device: there is nothing to replace.
        std::ofstream stream(path, std::ios::binary);
        stream << text << std::flush;
        if (!stream) {
            failToWrite(path, errno);
        }
        return;
    }
    const std::filesystem::path target = exists ? behindLinks(path) : path;
    TemporaryFile temporary(target);
    writeAll(temporary.file(), text, target);
    if (exists) {
        ::fchmod(temporary.file(), static_cast<mode_t>(status.permissions()));
    }
    temporary.renameTo(target);
}

void checkWritable(const std::filesystem::path& path) {
    const std::filesystem::file_status status = statusOf(path);
    const bool exists = std::filesystem::exists(status);
    if (exists && !std::filesystem::is_regular_file(status)) {
        if (::access(path.c_str(), W_OK) != 0) {
            failToWrite(path, errno);
        }
        return;
    }
    const TemporaryFile trial(exists ? behindLinks(path) : path);
}

} // namespace doppler::io
