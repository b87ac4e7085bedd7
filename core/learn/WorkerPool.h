#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace doppler::learn {

/// Threads that share the items of one loop after another. The thread that calls run() is one of
/// them.
class WorkerPool {
public:
    /// `threads` 0: all cores. `niceness` counts for the threads it makes, not for the caller's.
    WorkerPool(int threads, int niceness);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    int size() const { return static_cast<int>(threads_.size()) + 1; }

    /// Calls work(worker, item) for every item 0..count-1, each once, in no certain order. Rethrows
    /// the first exception after all have ended.
    using Work = std::function<void(int worker, int item)>;
    void run(int count, const Work& work);

private:
    void serve(int worker, int niceness);
    void takeItems(int worker);

    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    const Work* work_ = nullptr;
    int count_ = 0;
    int next_ = 0;
    int busy_ = 0;
    std::uint64_t round_ = 0;
    bool ending_ = false;
    std::exception_ptr error_;
    std::vector<std::thread> threads_;
};

} // namespace doppler::learn
