#include "app/cli/ProgressBar.h"

#include <algorithm>
#include <iostream>

#include <unistd.h>

namespace doppler::cli {

namespace {
constexpr int kWidth = 24;
constexpr const char* kClearLine = "\r\033[K";
} // namespace

ProgressBar::ProgressBar() : terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressBar::draw(double fraction, const std::string& text) {
    if (!terminal_) {
        return;
    }
    std::string bar;
    if (fraction >= 0) {
        const int filled = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kWidth);
        bar = "[" + std::string(static_cast<std::size_t>(filled), '#') +
              std::string(static_cast<std::size_t>(kWidth - filled), '.') + "] ";
    }
    std::cerr << kClearLine << bar << text << std::flush;
    drawn_ = true;
}

void ProgressBar::clear() {
    if (drawn_) {
        std::cerr << kClearLine << std::flush;
        drawn_ = false;
    }
}

} // namespace doppler::cli
