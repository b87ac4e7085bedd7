#pragma once

#include <stdexcept>

namespace doppler::cli {

/// A command line that parses but makes no sense: exit code 2.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace doppler::cli
