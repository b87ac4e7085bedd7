#include <exception>
#include <iostream>
#include <new>

#include "app/cli/Commands.h"
#include "app/cli/UsageError.h"
#include "core/engine/SystemInfo.h"
#include "core/graph/InputError.h"

namespace {

using namespace doppler;
using namespace doppler::cli;

int fail(int code, const std::string& message) {
    std::cerr << "doppler: " << message << '\n';
    return code;
}

void addCommands(CLI::App& app, CommandRun& run) {
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.footer("\nGRAPH is a workload (`doppler workloads`), with parameters as "
               "name:key=value,..., or a file.\n"
               "CLUSTER is a preset (`doppler clusters`) or a file.\n"
               "Exit codes: 0 done, 2 wrong usage, 3 bad input, 4 failed at run time.\n"
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
    addCompareCommand(app, run);
    addRenderCommand(app, run);
    addBenchCommand(app, run);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Device placement for dataflow graphs: place, simulate, compare, draw.",
                 "doppler");
    CommandRun run;
    addCommands(app, run);
    try {
        app.parse(argc, argv);
        return run();
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            return app.exit(error); // --help, --version
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
