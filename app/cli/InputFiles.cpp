#include "app/cli/InputFiles.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "app/cli/UsageError.h"

namespace doppler::cli {

namespace {

/// An option that may name a file to read, and what is in it.
struct Input {
    const char* option;
    const char* what;
};

constexpr Input kGraph{"GRAPH", "the graph that is read"};
constexpr std::array<Input, 6> kInputs{kGraph,
                                       Input{"--cluster", "the cluster of --cluster"},
                                       Input{"--assignment", "the placement of --assignment"},
                                       Input{"--policy", "the checkpoint of --policy"},
                                       Input{"--resume", "the runs of --resume"},
                                       Input{"--sim", "the options of --sim"}};

/// The paths that GRAPH may mean: "model.onnx:batch=8" and "g.json@c.json" name files, too.
std::vector<std::string> pathsIn(const std::string& graph) {
    std::vector<std::string> paths{graph};
    for (std::size_t at = graph.find_first_of(":@"); at != std::string::npos;
         at = graph.find_first_of(":@", at + 1)) {
        paths.push_back(graph.substr(0, at));
        if (graph[at] == '@') {
            paths.push_back(graph.substr(at + 1));
        }
    }
    return paths;
}

bool isFile(const std::string& path) {
    std::error_code unreadable;
    return std::filesystem::exists(path, unreadable);
}

} // namespace

bool sameFile(const std::string& a, const std::string& b) {
    std::error_code error;
    if (a.empty() || b.empty() ||
        std::filesystem::is_character_file(std::filesystem::status(a, error))) {
        return false;
    }
    // Of a relative path that leads nowhere yet, weakly_canonical() would keep the spelling.
    const auto plain = [&](const std::string& path) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    };
    return plain(a) == plain(b);
}

void checkSparesInputs(const CLI::App& command, const std::string& written,
                       const std::string& replaced) {
    for (const Input& input : kInputs) {
        const CLI::Option* option = command.get_option_no_throw(input.option);
        if (option == nullptr || input.option == replaced) {
            continue;
        }
        for (const std::string& text : option->results()) {
            const bool isGraph = std::string_view(input.option) == kGraph.option;
            for (const std::string& path : isGraph ? pathsIn(text) : std::vector{text}) {
                if (isFile(path) && sameFile(written, path)) {
                    throw UsageError("\"" + written + "\" would be written over " + input.what);
                }
            }
        }
    }
}

} // namespace doppler::cli
