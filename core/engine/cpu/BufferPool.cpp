#include "core/engine/cpu/BufferPool.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace doppler::engine {

namespace {

constexpr std::size_t kPage = 4096;

std::size_t paddedSize(std::int64_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    return size == 0 ? kPage : (size + kPage - 1) / kPage * kPage;
}

} // namespace

BufferPool::~BufferPool() {
    for (const auto& [bytes, list] : free_) {
        for (void* data : list) {
            std::free(data);
        }
    }
}

void* BufferPool::take(std::int64_t bytes) {
    std::vector<void*>& list = free_[bytes];
    if (!list.empty()) {
        void* data = list.back();
        list.pop_back();
        return data;
    }
    const std::size_t size = paddedSize(bytes);
    void* data = std::aligned_alloc(kPage, size);
    if (data == nullptr) {
        throw std::bad_alloc();
    }
    std::memset(data, 0, size);
    return data;
}

void BufferPool::give(void* data, std::int64_t bytes) {
    free_[bytes].push_back(data);
}

} // namespace doppler::engine
