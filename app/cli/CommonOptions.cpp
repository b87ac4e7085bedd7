#include <map>

#include "app/cli/Commands.h"

namespace doppler::cli {

CLI::App& addCommand(CLI::App& app, const std::string& name, const std::string& description,
                     const std::string& example) {
    CLI::App* command = app.add_subcommand(name, description);
    command->footer("\nExample:\n  " + example);
    return *command;
}

void addJsonFlag(CLI::App& command, bool& json) {
    command.add_flag("--json", json, "Print one JSON object on stdout and nothing else");
}

void addBudgetOption(CLI::App& command, double& seconds, const std::string& description) {
    static const std::map<std::string, double> kUnits = {
        {"ms", 0.001}, {"s", 1.0}, {"m", 60.0}, {"min", 60.0}, {"h", 3600.0}};
    command.add_option("--budget", seconds, description + ", e.g. 500ms, 10s, 2min")
        ->capture_default_str()
        ->check(CLI::PositiveNumber)
        ->transform(CLI::AsNumberWithUnit(kUnits, CLI::AsNumberWithUnit::CASE_SENSITIVE, "TIME"));
}

} // namespace doppler::cli
