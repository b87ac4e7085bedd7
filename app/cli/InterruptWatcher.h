#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <stop_token>
#include <thread>

namespace doppler::cli {

/// While it lives, the first Ctrl-C (or SIGTERM, or SIGHUP where it is not ignored) asks for a stop
/// instead of ending the program, so that a search can hand over the best it has; the second one
/// ends the program. Make it before any thread that works: threads inherit the signal mask.
class InterruptWatcher {
public:
    enum class Until : std::uint8_t {
        Stopped,     ///< the first signal asks for a stop from the beginning
        WorthKeeping ///< until keep() is called, there is nothing to hand over: it ends the program
    };
    explicit InterruptWatcher(Until until = Until::Stopped);
    ~InterruptWatcher();
    InterruptWatcher(const InterruptWatcher&) = delete;
    InterruptWatcher& operator=(const InterruptWatcher&) = delete;

    std::stop_token token() const { return stop_.get_token(); }
    bool interrupted() const { return stop_.stop_requested(); }
    /// From now on there is something to hand over.
    void keep() { worthKeeping_ = true; }
    /// What the program returns after it has printed what it has: 128 and the number of the
    /// signal, as shells have it; 0 if there was none.
    int exitCode() const;

private:
    void watch(const std::stop_token& end);

    std::stop_source stop_;
    std::atomic<bool> worthKeeping_;
    std::atomic<int> signal_ = 0; ///< the first one
    sigset_t before_{};           ///< what was blocked before it lived
    std::jthread thread_;
};

} // namespace doppler::cli
