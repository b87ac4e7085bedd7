#include "core/io/Gzip.h"

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include <zlib.h>

#include "core/graph/InputError.h"

namespace doppler::io {

namespace {

constexpr std::size_t kLargestContent = std::size_t{2} << 30;
constexpr std::size_t kUnsuspicious = std::size_t{64} << 20;
constexpr std::size_t kMostTimes = 200;
constexpr int kGzipOnly = 15 + 16; // zlib's way to say: the largest window, a gzip header
constexpr std::size_t kSmallestMember = 18;

std::string atByte(const std::string& where, std::size_t offset) {
    return where + ", byte " + std::to_string(offset) + " of the gzip file";
}

/// Owns zlib's state.
class Inflater {
public:
    Inflater() {
        if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    /// Unpacks the member at the front of `bytes` and removes it from there.
    void appendMember(std::string_view& bytes, std::string& content, const std::string& where,
                      std::size_t fileSize) {
        inflateReset(&stream_);
        std::array<unsigned char, 1 << 16> chunk{};
        int state = Z_OK;
        while (state != Z_STREAM_END) {
            const std::size_t offered =
                std::min<std::size_t>(bytes.size(), std::numeric_limits<int>::max());
            // zlib reads through this pointer only.
            stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
            stream_.avail_in = static_cast<uInt>(offered);
            stream_.next_out = chunk.data();
            stream_.avail_out = static_cast<uInt>(chunk.size());
            state = inflate(&stream_, Z_NO_FLUSH);
            bytes.remove_prefix(offered - stream_.avail_in);
            content.append(reinterpret_cast<const char*>(chunk.data()),
                           chunk.size() - stream_.avail_out);
            const std::size_t position = fileSize - bytes.size();
            checkSize(content.size(), position, where);
            if (state == Z_BUF_ERROR || (state == Z_OK && bytes.empty() && stream_.avail_out > 0)) {
                throw InputError(atByte(where, position), "its end", "the rest of it");
            }
            if (state == Z_MEM_ERROR) {
                throw std::bad_alloc();
            }
            if (state != Z_OK && state != Z_STREAM_END) {
                throw InputError(atByte(where, position),
                                 stream_.msg != nullptr
                                     ? "damaged data (" + std::string(stream_.msg) + ")"
                                     : "damaged data",
                                 "gzip");
            }
        }
    }

private:
    static void checkSize(std::size_t content, std::size_t read, const std::string& where) {
        if (content > kLargestContent) {
            throw InputError(where, "more than 2 GiB when unpacked", "a smaller file");
        }
        if (content > kUnsuspicious && content / std::max<std::size_t>(read, 1) > kMostTimes) {
            throw InputError(where,
                             "a gzip file that unpacks to more than " + std::to_string(kMostTimes) +
                                 " times its size",
                             "one that holds real data");
        }
    }

    z_stream stream_{};
};

} // namespace

bool looksGzipped(std::string_view bytes) {
    return bytes.size() >= kSmallestMember && bytes.starts_with("\x1F\x8B\x08");
}

std::string gunzip(std::string_view bytes, const std::string& where) {
    const std::size_t fileSize = bytes.size();
    std::string content;
    Inflater inflater;
    do {
        inflater.appendMember(bytes, content, where, fileSize);
    } while (looksGzipped(bytes));
    // Tapes and some writers fill up with zeros.
    if (bytes.find_first_not_of('\0') != std::string_view::npos) {
        throw InputError(atByte(where, fileSize - bytes.size()), "other data after the packed one",
                         "the end of the file");
    }
    return content;
}

} // namespace doppler::io
