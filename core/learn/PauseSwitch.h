#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace doppler::learn {

/// Halts a training from another thread between two of its updates, or of the episodes that it
/// measures.
class PauseSwitch {
public:
    void set(bool paused) {
        {
            const std::lock_guard lock(mutex_);
            paused_ = paused;
        }
        changed_.notify_all();
    }

    bool paused() const {
        const std::lock_guard lock(mutex_);
        return paused_;
    }

    /// Returns once it is not paused, or a stop was asked for.
    void wait(std::stop_token stop) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, std::move(stop), [this] { return !paused_; });
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    bool paused_ = false;
};

} // namespace doppler::learn
