#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace doppler::sim {

/// A heap of 128-bit keys, smallest first, with four children a node: half as deep as a binary
/// one, and a node's children share a cache line.
class KeyHeap {
public:
    __extension__ typedef unsigned __int128 Key;

    void reserve(std::size_t keys) { keys_.reserve(keys); }
    void clear() { keys_.clear(); }
    bool empty() const { return keys_.empty(); }
    Key first() const { return keys_.front(); }

    void insert(Key key) {
        std::size_t hole = keys_.size();
        keys_.push_back(key);
        Key* heap = keys_.data();
        while (hole > 0) {
            const std::size_t parent = (hole - 1) / kArity;
            if (heap[parent] < key) {
                break;
            }
            heap[hole] = heap[parent];
            hole = parent;
        }
        heap[hole] = key;
    }

    void removeFirst() {
        const Key last = keys_.back();
        keys_.pop_back();
        const std::size_t size = keys_.size();
        if (size == 0) {
            return;
        }
        Key* heap = keys_.data();
        std::size_t hole = 0;
        for (;;) {
            const std::size_t first = hole * kArity + 1;
            if (first >= size) {
                break;
            }
            std::size_t least = first;
            const std::size_t end = std::min(first + kArity, size);
            for (std::size_t child = first + 1; child < end; ++child) {
                least = heap[child] < heap[least] ? child : least;
            }
            if (last < heap[least]) {
                break;
            }
            heap[hole] = heap[least];
            hole = least;
        }
        heap[hole] = last;
    }

private:
    static constexpr std::size_t kArity = 4;

    std::vector<Key> keys_;
};

} // namespace doppler::sim
