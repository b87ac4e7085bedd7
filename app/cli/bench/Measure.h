#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace doppler::cli {

/// Seconds that `work` takes, once.
double secondsOf(const auto& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Median over repeats, each long enough for the clock, of the seconds that `work` takes.
double medianSeconds(const auto& work) {
    constexpr int kRepeats = 9;
    constexpr double kSecondsPerRepeat = 0.03;
    work(); // warm up
    const double once = std::max(secondsOf(work), 1e-9);
    const int times = std::max(1, static_cast<int>(kSecondsPerRepeat / once));
    std::vector<double> samples;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        samples.push_back(secondsOf([&] {
                              for (int i = 0; i < times; ++i) {
                                  work();
                              }
                          }) /
                          times);
    }
    std::nth_element(samples.begin(), samples.begin() + kRepeats / 2, samples.end());
    return samples[kRepeats / 2];
}

} // namespace doppler::cli
