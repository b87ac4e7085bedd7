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
    freeIdle();
}

void BufferPool::freeIdle() {
    for (const auto& [bytes, list] : free_) {
        for (void* data : list) {
            std::free(data);
        }
    }
    free_.clear();
    idle_ = 0;
}

void BufferPool::limit(std::int64_t bytes) {
    limit_ = bytes;
    if (taken_ + idle_ > limit_) {
        freeIdle();
    }
}

void* BufferPool::take(std::int64_t bytes) {
    const auto list = free_.find(bytes);
    if (list != free_.end() && !list->second.empty()) {
        void* data = list->second.back();
        list->second.pop_back();
        idle_ -= bytes;
        taken_ += bytes;
        return data;
    }
    if (taken_ + idle_ + bytes > limit_) {
        freeIdle();
    }
    const std::size_t size = paddedSize(bytes);
    void* data = std::aligned_alloc(kPage, size);
    if (data == nullptr) {
        throw std::bad_alloc();
    }
    std::memset(data, 0, size);
    taken_ += bytes;
    return data;
}

void BufferPool::give(void* data, std::int64_t bytes) {
    free_[bytes].push_back(data);
    taken_ -= bytes;
    idle_ += bytes;
}

} // namespace doppler::engine
