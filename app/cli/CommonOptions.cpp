#include <map>
#include <sstream>

#include "app/cli/Commands.h"

namespace doppler::cli {

CLI::App& addCommand(CLI::App& app, const std::string& name, const std::string& description,
                     const std::string& example) {
    CLI::App* command = app.add_subcommand(name, description);
    command->footer("\nExample:\n  " + example);
    return *command;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : between) + word;
    }
    return text;
}

void addJsonFlag(CLI::App& command, bool& json) {
    command.add_flag("--json", json, "Print one JSON object on stdout and nothing else");
}

void addBudgetOption(CLI::App& command, double& seconds, const std::string& description) {
    static const std::map<std::string, double> kUnits = {
        {"ms", 0.001}, {"s", 1.0}, {"m", 60.0}, {"min", 60.0}, {"h", 3600.0}};
    std::ostringstream preset;
    preset << "TIME=" << seconds << "s";
    command.add_option("--budget", seconds, description + ", e.g. 500ms, 10s, 2min")
        ->option_text(preset.str())
        ->check(CLI::PositiveNumber)
        ->transform(CLI::AsNumberWithUnit(kUnits, CLI::AsNumberWithUnit::CASE_SENSITIVE, "TIME"));
}

} // namespace doppler::cli
