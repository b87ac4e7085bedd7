#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

#include "app/cli/Commands.h"
#include "app/cli/UsageError.h"
#include "core/engine/SystemInfo.h"
#include "core/graph/InputError.h"
#include "core/io/FileSizeSignal.h"

namespace {

using namespace doppler;
using namespace doppler::cli;

int fail(int code, const std::string& message) {
    std::cerr << "doppler: " << message << '\n';
    return code;
}

/// A result that nobody got is a failure, whatever the command returned.
int afterPrinting(int code) {
    errno = 0;
    std::cout.flush();
    if (std::cout.good()) {
        return code;
    }
    return fail(kFailed, std::string("the result cannot be written to stdout") +
                             (errno == 0 ? "" : std::string(": ") + std::strerror(errno)));
}

void addCommands(CLI::App& app, CommandRun& run) {
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.footer(
        "\nGRAPH is a workload (`doppler workloads`), with parameters as "
        "name:key=value,..., or a file.\n"
        "CLUSTER is a preset (`doppler clusters`) or a file.\n"
        "Exit codes: 0 done, 2 wrong usage, 3 bad input, 4 failed at run time, 130 interrupted by "
        "Ctrl-C, 143 by SIGTERM, 129 by SIGHUP (after the best so far was printed).\n"
        "`doppler COMMAND --help` tells more.");
    app.set_version_flag("--version", "doppler " + engine::programVersion());
    app.require_subcommand(1);
    addInfoCommand(app, run);
    addWorkloadsCommand(app, run);
    addClustersCommand(app, run);
    addPlacersCommand(app, run);
    addGraphCommand(app, run);
    addPlaceCommand(app, run);
    addSimulateCommand(app, run);
    addTrainCommand(app, run);
    addCompareCommand(app, run);
    addTrainGeneralCommand(app, run);
    addExecuteCommand(app, run);
    addCalibrateCommand(app, run);
    addFidelityCommand(app, run);
    addRenderCommand(app, run);
    addBenchCommand(app, run);
}

/// Names an unknown command; the parser would only say that one is required.
void checkCommandName(const CLI::App& app, int argc, char** argv) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    if (argc < 2 || argv[1][0] == '-' || argv[1][0] == '\0' ||
        std::find(names.begin(), names.end(), argv[1]) != names.end()) {
        return;
    }
    throw UsageError("found the command \"" + std::string(argv[1]) + "\", expected one of " +
                     joined(names, ", "));
}

/// `train --general` is another name of `train-general`, which has options of its own.
std::vector<std::string> commandWords(int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const auto general = std::find(words.begin(), words.end(), "--general");
    if (!words.empty() && words.front() == "train" && general != words.end()) {
        words.erase(general);
        words.front() = "train-general";
    }
    return words;
}

} // namespace

int main(int argc, char** argv) {
    io::ignoreFileSizeSignal();
    CLI::App app("Device placement for dataflow graphs: place, simulate, compare, draw.",
                 "doppler");
    CommandRun run;
    addCommands(app, run);
    try {
        checkCommandName(app, argc, argv);
        std::vector<std::string> words = commandWords(argc, argv);
        std::reverse(words.begin(), words.end()); // as the parser takes them
        app.parse(std::move(words));
        return afterPrinting(run());
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            return afterPrinting(app.exit(error)); // --help, --version
        }
        return fail(kWrongUsage, std::string(error.what()) + "\nRun with --help for the options.");
    } catch (const UsageError& error) {
        return fail(kWrongUsage, error.what());
    } catch (const InputError& error) {
        return fail(kBadInput, error.what());
    } catch (const std::bad_alloc&) {
        return fail(kFailed, "out of memory");
    } catch (const std::exception& error) {
        return fail(kFailed, error.what());
    }
}
