#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace doppler::cli {

/// Names of engine::runtimeKinds().
std::vector<std::string> runtimeNames();

/// `--runtime`: one of engine::runtimeKinds().
void addRuntimeOption(CLI::App& command, std::string& runtime);

} // namespace doppler::cli
