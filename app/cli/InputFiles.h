#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace doppler::cli {

/// True if two paths lead to one file, through links or in other spellings, also where there is
/// none yet. Devices are no files to lose.
bool sameFile(const std::string& a, const std::string& b);

/// Throws UsageError if the file `written` is one that the command reads: by its options, a graph,
/// a cluster, a placement and what else may be in files. `replaced` is an option whose file may be
/// written over, "GRAPH"; empty: none.
void checkSparesInputs(const CLI::App& command, const std::string& written,
                       const std::string& replaced = {});

} // namespace doppler::cli
