#pragma once

#include <string>

namespace doppler::cli {

/// One measured figure beside what is asked of it.
struct BenchRow {
    std::string name;
    double value = 0;
    std::string unit;
    double target = 0;
    bool lowerIsBetter = true;
    std::string note;
};

} // namespace doppler::cli
