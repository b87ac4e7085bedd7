#include <algorithm>
#include <charconv>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>

#include "app/cli/Commands.h"
#include "core/graph/InputError.h"
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

std::set<std::string> givenOptions(const CLI::App& command) {
    std::set<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() > 0) {
            names.insert(option->get_name());
        }
    }
    return names;
}

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most) {
    return CLI::Validator(
        [least, most](std::string& text) {
            std::uint64_t number = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, number);
            if (error != std::errc() || stop != end || number < least || number > most) {
                return "found " + text + ", expected a whole number from " + std::to_string(least) +
                       " to " + std::to_string(most);
            }
            text = std::to_string(number); // without zeros before, which would make it octal
            return std::string();
        },
        "");
}

CLI::Validator seedNumber() {
    return wholeNumber(0, std::numeric_limits<std::uint64_t>::max());
}

namespace {

/// "500ms" becomes "0.5".
CLI::Validator timeWithUnit() {
    return CLI::Validator(
        [](std::string& text) {
            static const std::map<std::string_view, double> kUnits = {
                {"", 1.0}, {"ms", 0.001}, {"s", 1.0}, {"m", 60.0}, {"min", 60.0}, {"h", 3600.0}};
            double number = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, number);
            std::string_view unit(stop, static_cast<std::size_t>(end - stop));
            unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
            const auto factor = kUnits.find(unit);
            const double seconds =
                error == std::errc() && factor != kUnits.end() ? number * factor->second : -1;
            // Written so that NaN fails.
            if (!(seconds >= kShortestBudget && seconds <= kLongestBudget)) {
                return "found " + text +
                       ", expected a time from 1 ms to 30 days, e.g. 500ms, 10s "
                       "or 2min";
            }
            std::ostringstream plain;
            plain.precision(std::numeric_limits<double>::max_digits10);
            plain << seconds;
            text = plain.str();
            return std::string();
        },
        "");
}

template <typename Seconds>
void addTime(CLI::App& command, Seconds& seconds, const std::string& description,
             const std::string& text) {
    command.add_option("--budget", seconds, description + ", e.g. 500ms, 10s, 2min")
        ->option_text(text)
        ->transform(timeWithUnit());
}

} // namespace

void addBudgetOption(CLI::App& command, double& seconds, const std::string& description) {
    std::ostringstream preset;
    preset << "TIME=" << seconds << "s";
    addTime(command, seconds, description, preset.str());
}

void addObjectiveOption(CLI::App& command, std::string& objective, const std::string& lead,
                        const std::string& preset) {
    command
        .add_option("--objective", objective,
                    lead +
                        "makespan, mean:N or p95:N (over N noisy runs, with the noise of "
                        "--noise, else a CV of " +
                        numberText(place::kDefaultVariation) +
                        "); then ,memory=hard|penalty|ignore and ,traffic=W (adds W times the "
                        "time of all transfers)")
        ->check(CLI::Validator(
            [](const std::string& text) {
                try {
                    place::parseObjective(text, "");
                } catch (const InputError& error) {
                    return std::string(error.what()).substr(2); // without ": "
                }
                return std::string();
            },
            ""))
        ->option_text("OBJECTIVE" + preset);
}

void addEvaluationsOption(CLI::App& command, std::optional<std::int64_t>& evaluations) {
    command
        .add_option("--evaluations", evaluations,
                    "Instead of a time, how many placements a search may evaluate (exact: also "
                    "partial ones); the same N and seed then give the same placement")
        ->check(CLI::Validator(
            [](const std::string& text) {
                constexpr std::size_t kMostDigits = 15;
                const bool fits = !text.empty() && text.size() <= kMostDigits &&
                                  text.find_first_not_of("0123456789") == std::string::npos &&
                                  text.find_first_not_of('0') != std::string::npos;
                return fits ? std::string()
                            : "found " + text +
                                  ", expected a whole number from 1, of up to 15 "
                                  "digits";
            },
            ""))
        ->excludes("--budget")
        ->option_text("N");
}

void mergeRepeated(std::vector<std::string>& words, const std::string& option) {
    std::vector<std::string> kept;
    std::vector<std::string> told;
    const auto isIn = [](const std::vector<std::string>& list, const std::string& word) {
        return std::find(list.begin(), list.end(), word) != list.end();
    };
    for (const std::string& word : words) {
        if (!isIn(kept, word)) {
            kept.push_back(word);
        } else if (!isIn(told, word)) {
            told.push_back(word);
            std::cerr << option << ": \"" << word << "\" stands there several times; it is run "
                      << "once\n";
        }
    }
    words = std::move(kept);
}

std::string numberText(double number) {
    std::ostringstream text;
    text << number;
    return text.str();
}

void addOptionalBudgetOption(CLI::App& command, std::optional<double>& seconds,
                             const std::string& description) {
    addTime(command, seconds, description, "TIME");
}

} // namespace doppler::cli
