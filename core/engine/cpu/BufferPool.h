#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace doppler::engine {

/// Host memory that is kept for the next time once it has been used: by size, page-aligned, and
/// touched when it is first made, so that later runs meet no page faults.
class BufferPool {
public:
    BufferPool() = default;
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;
    BufferPool(BufferPool&&) = default;
    BufferPool& operator=(BufferPool&&) = delete;

    /// Throws std::bad_alloc.
    void* take(std::int64_t bytes);
    void give(void* data, std::int64_t bytes);

private:
    std::unordered_map<std::int64_t, std::vector<void*>> free_;
};

} // namespace doppler::engine
