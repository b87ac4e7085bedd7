#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "core/io/ReadMonitor.h"

namespace doppler::io {

/// Shares of a whole read, as its parts report them: loading, then parsing, then building.
inline constexpr double kLoadedShare = 0.1;
inline constexpr double kParsedShare = 0.8;

/// Counts the values of a JSON text while it is parsed, against the commas that it has.
class JsonProgress {
public:
    JsonProgress(std::string_view text, const ReadMonitor* monitor) : monitor_(monitor) {
        if (monitor_ != nullptr) {
            total_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')) + 1;
        }
    }

    void step() {
        constexpr std::size_t kStride = 4096;
        if (monitor_ != nullptr && ++done_ % kStride == 0) {
            const double share =
                std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
            monitor_->progress(kLoadedShare + share * (kParsedShare - kLoadedShare));
        }
    }

private:
    const ReadMonitor* monitor_;
    std::size_t total_ = 1;
    std::size_t done_ = 0;
};

} // namespace doppler::io
