#pragma once

#include <string>

namespace doppler::cli {

/// A line on stderr that is drawn over itself; draws nothing where stderr is no terminal.
class ProgressBar {
public:
    ProgressBar();
    ~ProgressBar() { clear(); }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// `fraction` 0..1, or negative if unknown.
    void draw(double fraction, const std::string& text);
    void clear();

private:
    bool terminal_;
    bool drawn_ = false;
};

} // namespace doppler::cli
