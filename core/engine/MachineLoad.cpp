#include "core/engine/MachineLoad.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace doppler::engine {

namespace {

std::string textOf(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

template <typename Number>
Number numberAt(std::string_view text, std::size_t begin) {
    Number number = 0;
    if (begin < text.size()) {
        std::from_chars(text.data() + begin, text.data() + text.size(), number);
    }
    return number;
}

int othersNow() {
    int others = runnersOf(textOf("/proc/loadavg"));
    std::error_code error;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
        others -= isRunner(textOf(thread.path() / "stat")) ? 1 : 0;
    }
    return std::max(others, 0);
}

} // namespace

Time runDelayOf(std::string_view schedstat) {
    const std::size_t space = schedstat.find(' ');
    return space == std::string_view::npos ? 0 : numberAt<Time>(schedstat, space + 1);
}

int runnersOf(std::string_view loadavg) {
    const std::size_t slash = loadavg.find('/');
    const std::size_t space = slash == std::string_view::npos ? slash : loadavg.rfind(' ', slash);
    return space == std::string_view::npos ? 0 : numberAt<int>(loadavg, space + 1);
}

bool isRunner(std::string_view stat) {
    // The name before the state may hold anything but ends with the last parenthesis.
    const std::size_t end = stat.rfind(')');
    return end != std::string_view::npos && end + 2 < stat.size() && stat[end + 2] == 'R';
}

MachineLoad machineLoad() {
    MachineLoad load;
    std::error_code error;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
        if (textOf(thread.path() / "comm") != std::string(kCopyThreadName) + '\n') {
            load.runDelay += runDelayOf(textOf(thread.path() / "schedstat"));
        }
    }
    load.others = leastOthers([] { return othersNow(); });
    return load;
}

int leastOthers(const std::function<int()>& look) {
    constexpr int kLooks = 4;
    int least = look();
    for (int i = 1; i < kLooks && least > 0; ++i) {
        least = std::min(least, look());
    }
    return least;
}

Time copyTimeOf(const sim::Timeline& timeline) {
    Time sum = 0;
    for (const sim::Interval& interval : timeline.intervals) {
        sum += interval.isTransfer() ? interval.end - interval.start : 0;
    }
    return sum;
}

bool wasQuiet(const MachineLoad& before, const MachineLoad& after, Time makespan, Time copyTime,
              bool shared) {
    if (before.others > 0 || after.others > 0) {
        return false;
    }
    constexpr double kShare = 0.05;
    const auto waited = static_cast<double>(after.runDelay - before.runDelay - copyTime);
    return shared || waited <= kShare * static_cast<double>(makespan);
}

} // namespace doppler::engine
