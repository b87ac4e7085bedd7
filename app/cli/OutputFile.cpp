#include "app/cli/OutputFile.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/UsageError.h"
#include "core/io/Formats.h"

namespace doppler::cli {

std::string OutputFile::resolvedFormat() const {
    if (path.empty() || !format.empty()) {
        return format;
    }
    const std::string ending = std::filesystem::path(path).extension().string();
    const std::string found = ending.empty() ? ending : ending.substr(1);
    if (std::find(known.begin(), known.end(), found) == known.end()) {
        throw UsageError("cannot tell the format of \"" + path + "\": its ending is none of ." +
                         joined(known, ", ."));
    }
    return found;
}

void OutputFile::write(std::string_view text) const {
    writeOutput(path, text);
}

void addOutputOption(CLI::App& command, OutputFile& file, const std::string& description,
                     std::vector<std::string> formats) {
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

CLI::Validator fileName() {
    return CLI::Validator(
        [](const std::string& text) {
            return text.empty() ? std::string("found an empty name, expected a file name")
                                : std::string();
        },
        "");
}

void writeOutput(const std::string& path, std::string_view text) {
    io::writeFileAtomically(path, text);
    std::cerr << "wrote " << path << '\n';
}

} // namespace doppler::cli
