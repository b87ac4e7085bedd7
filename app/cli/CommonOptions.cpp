#include <limits>
#include <map>
#include <sstream>

#include "app/cli/Commands.h"
#include "core/place/Objective.h"

namespace doppler::cli {

CLI::App& addCommand(CLI::App& app, const std::string& name, const std::string& description,
                     const std::string& example) {
    CLI::App* command = app.add_subcommand(name, description);
    command->footer("\nExample:\n  " + example);
    return *command;
}

namespace {
constexpr double kShortestBudget = 0.001;     // seconds
constexpr double kLongestBudget = 30 * 86400; // seconds
} // namespace

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

CLI::Validator numberWithin(double least, double largest, const std::string& what) {
    return CLI::Validator(
        [least, largest, what](std::string& text) {
            std::size_t used = 0;
            double value = std::numeric_limits<double>::quiet_NaN();
            try {
                value = std::stod(text, &used);
            } catch (const std::exception&) {
                used = 0;
            }
            // Written so that NaN fails.
            const bool fits = used == text.size() && value >= least && value <= largest;
            return fits ? std::string() : "found " + text + ", expected " + what;
        },
        "");
}

CLI::Validator seedNumber() {
    return CLI::Validator(
        [](std::string& text) {
            constexpr std::size_t kMostDigits = 18;
            const bool fits = !text.empty() && text.size() <= kMostDigits &&
                              text.find_first_not_of("0123456789") == std::string::npos;
            return fits ? std::string()
                        : "found " + text + ", expected a whole number from 0, of up to 18 digits";
        },
        "");
}

namespace {

template <typename Seconds>
void addTime(CLI::App& command, Seconds& seconds, const std::string& description,
             const std::string& text) {
    static const std::map<std::string, double> kUnits = {
        {"ms", 0.001}, {"s", 1.0}, {"m", 60.0}, {"min", 60.0}, {"h", 3600.0}};
    command.add_option("--budget", seconds, description + ", e.g. 500ms, 10s, 2min")
        ->option_text(text)
        ->check(numberWithin(kShortestBudget, kLongestBudget, "a time from 1 ms to 30 days"))
        ->transform(CLI::AsNumberWithUnit(kUnits, CLI::AsNumberWithUnit::CASE_SENSITIVE, "TIME"));
}

} // namespace

void addBudgetOption(CLI::App& command, double& seconds, const std::string& description) {
    std::ostringstream preset;
    preset << "TIME=" << seconds << "s";
    addTime(command, seconds, description, preset.str());
}

void addObjectiveOption(CLI::App& command, std::string& objective, const std::string& lead) {
    command
        .add_option("--objective", objective,
                    lead + "makespan, mean:N or p95:N (over N noisy runs); then "
                           ",memory=hard|penalty|ignore and ,traffic=W (adds W times the time of "
                           "all transfers)")
        ->check(CLI::Validator(
            [](const std::string& text) {
                place::parseObjective(text);
                return std::string();
            },
            ""))
        ->option_text("OBJECTIVE=makespan");
}

void addOptionalBudgetOption(CLI::App& command, std::optional<double>& seconds,
                             const std::string& description) {
    addTime(command, seconds, description, "TIME");
}

} // namespace doppler::cli
