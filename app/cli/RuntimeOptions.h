#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/cluster/Cluster.h"
#include "core/cluster/Profile.h"

namespace doppler::cli {

/// Names of engine::runtimeKinds().
std::vector<std::string> runtimeNames();

/// `--runtime`: one of engine::runtimeKinds().
void addRuntimeOption(CLI::App& command, std::string& runtime);

/// Processors that this process may use.
int usableProcessors();

/// True if the runtime runs the cluster's devices on fewer processors than there are devices.
bool sharesProcessors(const std::string& runtime, const cluster::Cluster& cluster);

/// Throws InputError if times of `profile` say nothing about `runtime` here: measured on another
/// runtime, on another processor, or with other BLAS kernels or threads.
void checkProfileFits(const cluster::Profile& profile, const std::string& runtime,
                      const std::string& where);

} // namespace doppler::cli
