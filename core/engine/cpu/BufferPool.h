#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace doppler::engine {

/// Host memory that is kept for the next time once it has been used: by size, page-aligned, and
/// touched when it is first made, so that later runs meet no page faults. What is not in use is
/// freed when it and the rest would exceed the limit.
class BufferPool {
public:
    BufferPool() = default;
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;
    BufferPool(BufferPool&&) = default;
    BufferPool& operator=(BufferPool&&) = delete;

    /// Most bytes that it holds, as long as what is taken leaves room; none at first.
    void limit(std::int64_t bytes);
    /// Throws std::bad_alloc.
    void* take(std::int64_t bytes);
    void give(void* data, std::int64_t bytes);

    /// Bytes of memory that it holds and nothing uses.
    std::int64_t idleBytes() const { return idle_; }

private:
    void freeIdle();

    std::int64_t limit_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t taken_ = 0;
    std::int64_t idle_ = 0;
    std::unordered_map<std::int64_t, std::vector<void*>> free_;
};

} // namespace doppler::engine
