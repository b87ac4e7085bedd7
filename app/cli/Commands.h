#pragma once

/// app/cli: the program `doppler`. One file a command; composition only, the work is in core.

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace doppler::cli {

/// What the program returns.
enum ExitCode : int {
    kDone = 0,
    kWrongUsage = 2,
    kBadInput = 3,
    kFailed = 4,
};

/// The work that the parsed command line asks for; returns the exit code.
using CommandRun = std::function<int()>;

// Each adds one command, which sets `run` when it is the one that was called.
void addInfoCommand(CLI::App& app, CommandRun& run);
void addWorkloadsCommand(CLI::App& app, CommandRun& run);
void addClustersCommand(CLI::App& app, CommandRun& run);
void addPlacersCommand(CLI::App& app, CommandRun& run);
void addGraphCommand(CLI::App& app, CommandRun& run);
void addPlaceCommand(CLI::App& app, CommandRun& run);
void addSimulateCommand(CLI::App& app, CommandRun& run);
void addTrainCommand(CLI::App& app, CommandRun& run);
void addCompareCommand(CLI::App& app, CommandRun& run);
void addTrainGeneralCommand(CLI::App& app, CommandRun& run);
void addExecuteCommand(CLI::App& app, CommandRun& run);
void addCalibrateCommand(CLI::App& app, CommandRun& run);
void addFidelityCommand(CLI::App& app, CommandRun& run);
void addRenderCommand(CLI::App& app, CommandRun& run);
void addBenchCommand(CLI::App& app, CommandRun& run);

/// A command whose help ends with `example`.
CLI::App& addCommand(CLI::App& app, const std::string& name, const std::string& description,
                     const std::string& example);

/// "a|b|c" for between = "|".
std::string joined(const std::vector<std::string>& words, const std::string& between);

/// `--json`, with the same words everywhere.
void addJsonFlag(CLI::App& command, bool& json);

/// Names of the options that stand on the command line, known once it was parsed.
std::set<std::string> givenOptions(const CLI::App& command);

/// Refuses what is no number of that range (NaN among it); `what` says what is expected.
CLI::Validator numberWithin(double least, double largest, const std::string& what);

/// Refuses what is no whole number of that range.
CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most);

/// Refuses what is no seed: signs, fractions, more than 18 digits.
CLI::Validator seedNumber();

/// What searches make small; `lead` begins the help, `preset` is what it says of the default.
void addObjectiveOption(CLI::App& command, std::string& objective, const std::string& lead,
                        const std::string& preset = "=makespan");

/// A step budget, which takes the place of `--budget`, which must be there already.
void addEvaluationsOption(CLI::App& command, std::optional<std::int64_t>& evaluations);

/// Removes words that stand twice and says so on stderr; `option` names where they stand.
void mergeRepeated(std::vector<std::string>& words, const std::string& option);

/// A number as people write it: "0.1".
std::string numberText(double number);

/// A time such as "10s", "500ms", "2min"; a bare number is seconds.
void addBudgetOption(CLI::App& command, double& seconds, const std::string& description);
/// The same where there may be none.
void addOptionalBudgetOption(CLI::App& command, std::optional<double>& seconds,
                             const std::string& description);

} // namespace doppler::cli
