#include "app/cli/OutputFile.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/InputFiles.h"
#include "app/cli/UsageError.h"
#include "core/io/CheckWritable.h"
#include "core/io/Formats.h"

namespace doppler::cli {

namespace {

std::string formatOf(const OutputFile& file) {
    if (!file.wanted() || !file.format.empty()) {
        return file.format;
    }
    const std::string ending = std::filesystem::path(file.path).extension().string();
    const std::string found = ending.empty() ? ending : ending.substr(1);
    if (std::find(file.known.begin(), file.known.end(), found) == file.known.end()) {
        throw UsageError("cannot tell the format of \"" + file.path +
                         "\": its ending is none of ." + joined(file.known, ", ."));
    }
    return found;
}

} // namespace

std::string OutputFile::prepare() const {
    const std::string found = formatOf(*this);
    if (wanted()) {
        // An .onnx file is a copy of the graph, with more in it.
        checkSparesInputs(*command, path, found == "onnx" ? "GRAPH" : replaced);
        io::checkWritable(path);
    }
    return found;
}

void OutputFile::write(std::string_view text) const {
    writeOutput(path, text);
}

void addOutputOption(CLI::App& command, OutputFile& file, const std::string& description,
                     std::vector<std::string> formats) {
    file.command = &command;
    file.known = std::move(formats);
    CLI::Option* output = command.add_option("-o,--output", file.path, description)
                              ->check(fileName())
                              ->option_text("FILE");
    if (file.known.size() > 1) {
        command.add_option("--format", file.format, "Format of the -o file, whatever its ending")
            ->check(CLI::IsMember(file.known))
            ->option_text(joined(file.known, "|"))
            ->needs(output);
    }
}

void addTraceOption(CLI::App& command, std::string& trace, const std::string& run) {
    command.add_option("--trace", trace, "Write " + run + " as a Chrome trace (opens in Perfetto)")
        ->check(fileName())
        ->option_text("FILE");
}

std::string prepareOutputs(const OutputFile& output, const std::string& trace) {
    if (sameFile(output.path, trace)) {
        throw UsageError("--trace and --output name the same file, \"" + trace + "\"");
    }
    const std::string format = output.prepare();
    if (!trace.empty()) {
        checkSparesInputs(*output.command, trace);
        io::checkWritable(trace);
    }
    return format;
}

CLI::Validator fileName() {
    return CLI::Validator(
        [](const std::string& text) {
            if (text.empty()) {
                return std::string("found an empty name, expected a file name");
            }
            return text == "-" ? std::string("found \"-\", expected a file name (./- for a file "
                                             "that is called so; results go to stdout anyway)")
                               : std::string();
        },
        "");
}

void writeOutput(const std::string& path, std::string_view text) {
    io::writeFileAtomically(path, text);
    std::cerr << "wrote " << path << '\n';
}

} // namespace doppler::cli
