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
    const CLI::App* command = nullptr; ///< that writes it; what it reads is not written over
    /// But for the file of this option, where a command converts it: "GRAPH".
    std::string replaced;

    bool wanted() const { return !path.empty(); }
    /// Call it before any long work: the format to write, "" if no file was asked for. Throws
    /// UsageError if it is none of `known`, or the file one that the command reads,
    /// std::runtime_error if the file cannot be written.
    std::string prepare() const;
    /// Writes the file and says so on stderr. Print the result first: writing may fail all the
    /// same.
    void write(std::string_view text) const;
};

/// Adds `-o` and, where there is a choice of formats, `--format`.
void addOutputOption(CLI::App& command, OutputFile& file, const std::string& description,
                     std::vector<std::string> formats);

/// `--trace`, a Chrome trace of what `run` names ("the first run").
void addTraceOption(CLI::App& command, std::string& trace, const std::string& run);

/// Like OutputFile::prepare(), of a command that also writes a trace. Throws UsageError also where
/// both are the same file.
std::string prepareOutputs(const OutputFile& output, const std::string& trace);

/// Refuses an empty name, which would otherwise count as no name, and "-", which elsewhere stands
/// for stdout.
CLI::Validator fileName();

/// Writes a file and says so on stderr.
void writeOutput(const std::string& path, std::string_view text);

} // namespace doppler::cli
