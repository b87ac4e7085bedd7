#include "app/cli/InterruptWatcher.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

namespace doppler::cli {

namespace {

constexpr int kWakeSignal = SIGUSR1; // tells the thread that nothing is left to watch
constexpr time_t kGraceSeconds = 10;
constexpr int kSignalExitBase = 128; // the shell's convention for a program ended by a signal

/// Ctrl-C, what service managers and a lost terminal send.
constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

bool isIgnored(int signal) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t watchedSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : kSignals) {
        // Under nohup a lost terminal is no reason to stop; a blocked signal would be one.
        if (signal != SIGHUP || !isIgnored(SIGHUP)) {
            sigaddset(&signals, signal);
        }
    }
    sigaddset(&signals, kWakeSignal);
    return signals;
}

// Threads that libraries started before main() block no signals and would end the program. One that
// is hit blocks them from now on, and the watcher gets the signal.
void passOn(int signal, siginfo_t*, void* context) {
    const int error = errno;
    sigset_t& mask = static_cast<ucontext_t*>(context)->uc_sigmask;
    for (const int each : kSignals) {
        sigaddset(&mask, each);
    }
    kill(getpid(), signal);
    errno = error;
}

/// Handles a signal with passOn(), or again in the default way. What is ignored stays so.
void setPassedOn(int signal, bool passed) {
    if (isIgnored(signal)) {
        return;
    }
    struct sigaction action {};
    if (passed) {
        action.sa_sigaction = passOn;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
    } else {
        action.sa_handler = SIG_DFL;
    }
    sigaction(signal, &action, nullptr);
}

[[noreturn]] void endProgram(int signal, const char* why) {
    constexpr const char* kClearLine = "\r\033[K"; // of a progress bar
    std::fprintf(stderr, "%sdoppler: %s\n", isatty(STDERR_FILENO) != 0 ? kClearLine : "", why);
    std::_Exit(kSignalExitBase + signal);
}

} // namespace

InterruptWatcher::InterruptWatcher(Until until) : worthKeeping_(until == Until::Stopped) {
    const sigset_t signals = watchedSignals();
    for (const int signal : kSignals) {
        setPassedOn(signal, true);
    }
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
    thread_ = std::jthread([this](const std::stop_token& end) { watch(end); });
}

InterruptWatcher::~InterruptWatcher() {
    thread_.request_stop();
    pthread_kill(thread_.native_handle(), kWakeSignal);
    thread_.join();
    for (const int signal : kSignals) {
        setPassedOn(signal, false);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int InterruptWatcher::exitCode() const {
    const int signal = signal_;
    return signal == 0 ? 0 : kSignalExitBase + signal;
}

void InterruptWatcher::watch(const std::stop_token& end) {
    const sigset_t signals = watchedSignals();
    while (!end.stop_requested()) {
        int signal = 0;
        if (sigwait(&signals, &signal) != 0 || signal == kWakeSignal) {
            continue;
        }
        if (stop_.stop_requested()) {
            endProgram(signal, "interrupted again");
        }
        if (!worthKeeping_) {
            endProgram(signal, "interrupted before there was a result");
        }
        signal_ = signal;
        stop_.request_stop();
        // What does not stop by itself in time is ended.
        const timespec grace{kGraceSeconds, 0};
        const int next = sigtimedwait(&signals, nullptr, &grace);
        if (next != kWakeSignal) {
            endProgram(signal, next < 0 ? "interrupted; what was running did not stop in time"
                                        : "interrupted again");
        }
    }
}

} // namespace doppler::cli
