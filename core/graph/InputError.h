#pragma once

#include <stdexcept>
#include <string>

namespace doppler {

/// Bad input from outside (a file, a name, a parameter): the one exception type of readers,
/// builders and the command line. The message is complete: where, what was found, what was
/// expected.
class InputError : public std::runtime_error {
public:
    explicit InputError(const std::string& message) : std::runtime_error(message) {}

    /// `where` is "file.txt, line 4" or "field \"devices[2].name\"".
    InputError(const std::string& where, const std::string& found, const std::string& expected)
        : std::runtime_error(where + ": found " + found + ", expected " + expected) {}
};

} // namespace doppler
