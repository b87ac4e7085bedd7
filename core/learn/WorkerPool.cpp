#include "core/learn/WorkerPool.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "core/learn/Encoder.h"

namespace doppler::learn {

WorkerPool::WorkerPool(int threads, int niceness) {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int count = threads > 0 ? threads : cores;
    useOneLibTorchThread();
    for (int worker = 1; worker < count; ++worker) {
        threads_.emplace_back([this, worker, niceness] { serve(worker, niceness); });
    }
}

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void WorkerPool::run(int count, const Work& work) {
    {
        const std::lock_guard lock(mutex_);
        work_ = &work;
        count_ = count;
        next_ = 0;
        error_ = nullptr;
        busy_ = size() - 1;
        ++round_;
    }
    wake_.notify_all();
    takeItems(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    work_ = nullptr;
    if (error_ != nullptr) {
        std::rethrow_exception(error_);
    }
}

void WorkerPool::serve(int worker, int niceness) {
    if (niceness > 0) {
        // On Linux a thread has a niceness of its own.
        ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
    }
    useOneLibTorchThread();
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [&] { return ending_ || round_ != seen; });
        if (ending_) {
            return;
        }
        seen = round_;
        lock.unlock();
        takeItems(worker);
        lock.lock();
        if (--busy_ == 0) {
            done_.notify_one();
        }
    }
}

void WorkerPool::takeItems(int worker) {
    while (true) {
        int item = 0;
        {
            const std::lock_guard lock(mutex_);
            if (next_ >= count_ || error_ != nullptr) {
                return;
            }
            item = next_++;
        }
        try {
            (*work_)(worker, item);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (error_ == nullptr) {
                error_ = std::current_exception();
            }
        }
    }
}

} // namespace doppler::learn
