#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace doppler::engine {

/// Memory for what lives within one op; kept from op to op, so that it is made once.
class Scratch {
public:
    /// Uninitialised, aligned like any vector load needs it.
    void* take(std::int64_t bytes) {
        const std::size_t size =
            (static_cast<std::size_t>(bytes) + kAlignment - 1) / kAlignment * kAlignment;
        if (chunks_.empty() || used_ + size > chunks_.back().size) {
            // What was handed out stays where it is.
            const std::size_t grown = std::max(size, chunks_.empty() ? 0 : 2 * chunks_.back().size);
            chunks_.push_back({std::make_unique<std::byte[]>(grown + kAlignment), grown});
            used_ = 0;
        }
        const auto base = reinterpret_cast<std::uintptr_t>(chunks_.back().data.get());
        const std::size_t padding = (kAlignment - base % kAlignment) % kAlignment;
        void* data = chunks_.back().data.get() + padding + used_;
        used_ += size;
        return data;
    }

    /// Everything is free again.
    void reset() {
        if (chunks_.size() > 1) {
            chunks_.erase(chunks_.begin(), chunks_.end() - 1); // the largest is left
        }
        used_ = 0;
    }

private:
    static constexpr std::size_t kAlignment = 64;
    struct Chunk {
        std::unique_ptr<std::byte[]> data;
        std::size_t size = 0;
    };
    std::vector<Chunk> chunks_;
    std::size_t used_ = 0; // of the last chunk
};

} // namespace doppler::engine
