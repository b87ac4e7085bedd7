#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace doppler::engine {

/// A thread with room for one thing to do. `Work` is small and is copied.
template <class Work>
class WorkerLane {
public:
    /// `enter` is called once, then `run` with everything that is given.
    WorkerLane(std::function<void()> enter, std::function<void(const Work&)> run)
        : run_(std::move(run)), thread_([this, enter = std::move(enter)] {
            enter();
            loop();
        }) {}
    /// Waits for what runs; what has been given and has not begun is dropped.
    ~WorkerLane() {
        {
            const std::lock_guard lock(mutex_);
            leaving_ = true;
        }
        condition_.notify_one();
        thread_.join();
    }
    WorkerLane(const WorkerLane&) = delete;
    WorkerLane& operator=(const WorkerLane&) = delete;

    /// The lane must have begun what it was given before. From any thread, also from within `run`:
    /// then nobody has to be woken.
    void give(const Work& work) {
        bool wake = false;
        {
            const std::lock_guard lock(mutex_);
            work_ = work;
            wake = asleep_;
        }
        if (wake) {
            condition_.notify_one();
        }
    }

private:
    void loop() {
        std::unique_lock lock(mutex_);
        while (!leaving_) {
            if (!work_) {
                asleep_ = true;
                condition_.wait(lock, [this] { return leaving_ || work_.has_value(); });
                asleep_ = false;
                continue;
            }
            const Work work = *work_;
            work_.reset();
            lock.unlock();
            run_(work);
            lock.lock();
        }
    }

    std::function<void(const Work&)> run_;
    std::mutex mutex_;
    std::condition_variable condition_;
    std::optional<Work> work_; // guarded, as are the flags
    bool asleep_ = false;
    bool leaving_ = false;
    std::thread thread_; // last: it uses all above
};

} // namespace doppler::engine
