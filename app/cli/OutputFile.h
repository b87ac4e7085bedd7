#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace doppler::cli {

/// The file that `-o` asks for.
struct OutputFile {
    std::string path;   ///< empty: none was asked for
    std::string format; ///< of `--format`; empty: told by the ending of the path
    std::vector<std::string> known;

    bool wanted() const { return !path.empty(); }
    /// The format to write, "" if no file was asked for. Throws UsageError if it is none of
    /// `known`: call it before any long work.
    std::string resolvedFormat() const;
    /// Writes the file and says so on stderr.
    void write(std::string_view text) const;
};

/// Adds `-o` and, where there is a choice of formats, `--format`.
void addOutputOption(CLI::App& command, OutputFile& file, const std::string& description,
                     std::vector<std::string> formats);

/// Refuses an empty name, which would otherwise count as no name.
CLI::Validator fileName();

/// Writes a file and says so on stderr.
void writeOutput(const std::string& path, std::string_view text);

} // namespace doppler::cli
