#include "core/workload/ParameterReader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "core/graph/InputError.h"

namespace doppler::workload {

namespace {

template <typename Number>
std::optional<Number> parse(const std::string& text) {
    Number number{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end) {
        return std::nullopt;
    }
    return number;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

std::string where(const std::string& workload, std::string_view parameter) {
    return "workload \"" + workload + "\", parameter \"" + std::string(parameter) + "\"";
}

std::string expectation(const Parameter& parameter) {
    const std::string range =
        " from " + limitText(parameter.minimum) + " to " + limitText(parameter.maximum);
    switch (parameter.type) {
    case Parameter::Type::Integer:
        return "an integer" + range;
    case Parameter::Type::Real:
        return "a number" + range;
    case Parameter::Type::Choice:
        return "one of " + joined(parameter.choices);
    case Parameter::Type::Flag:
        return "true or false";
    }
    return {};
}

bool inRange(const Parameter& parameter, double number) {
    return number >= parameter.minimum && number <= parameter.maximum;
}

bool isValid(const Parameter& parameter, const std::string& value) {
    switch (parameter.type) {
    case Parameter::Type::Integer: {
        const auto number = parse<std::int64_t>(value);
        return number && inRange(parameter, static_cast<double>(*number));
    }
    case Parameter::Type::Real: {
        const auto number = parse<double>(value);
        return number && inRange(parameter, *number);
    }
    case Parameter::Type::Choice:
        return std::find(parameter.choices.begin(), parameter.choices.end(), value) !=
               parameter.choices.end();
    case Parameter::Type::Flag:
        return value == "true" || value == "false";
    }
    return false;
}

} // namespace

std::string limitText(double number) {
    constexpr double kLargestWhole = 1e18;
    if (number == std::floor(number) && std::abs(number) <= kLargestWhole) {
        return std::to_string(static_cast<std::int64_t>(number));
    }
    char digits[32];
    return {digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr};
}

ParameterReader::ParameterReader(const WorkloadInfo& info, const Parameters& given)
    : workload_(info.name) {
    std::vector<std::string> known;
    for (const Parameter& parameter : info.parameters) {
        known.push_back(parameter.name);
    }
    for (const auto& [name, value] : given) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw InputError("workload \"" + workload_ + "\"", "parameter \"" + name + "\"",
                             known.empty() ? "no parameters" : "one of " + joined(known));
        }
    }
    const auto size = given.find("size");
    const bool tiny = size != given.end() && size->second == "tiny";
    for (const Parameter& parameter : info.parameters) {
        const auto entry = given.find(parameter.name);
        if (entry == given.end()) {
            values_[parameter.name] =
                tiny && !parameter.tinyValue.empty() ? parameter.tinyValue : parameter.defaultValue;
            continue;
        }
        if (!isValid(parameter, entry->second)) {
            throw InputError(where(workload_, parameter.name), "\"" + entry->second + "\"",
                             expectation(parameter));
        }
        values_[parameter.name] = entry->second;
    }
}

const std::string& ParameterReader::value(std::string_view name) const {
    const auto entry = values_.find(std::string(name));
    if (entry == values_.end()) {
        throw std::logic_error("workload \"" + workload_ + "\" describes no parameter \"" +
                               std::string(name) + "\"");
    }
    return entry->second;
}

std::int64_t ParameterReader::integer(std::string_view name) const {
    return parse<std::int64_t>(value(name)).value();
}

double ParameterReader::real(std::string_view name) const {
    return parse<double>(value(name)).value();
}

void ParameterReader::fail(std::string_view name, const std::string& expected) const {
    throw InputError(where(workload_, name), value(name), expected);
}

void ParameterReader::requireMultiple(std::string_view name, std::int64_t divisor,
                                      std::string_view why) const {
    if (integer(name) % divisor != 0) {
        fail(name, "a multiple of " + std::to_string(divisor) + " (" + std::string(why) + ")");
    }
}

Parameter integerParameter(std::string name, std::string description, std::int64_t defaultValue,
                           std::int64_t tinyValue, std::int64_t minimum, std::int64_t maximum) {
    return {.name = std::move(name),
            .description = std::move(description),
            .type = Parameter::Type::Integer,
            .defaultValue = std::to_string(defaultValue),
            .tinyValue = std::to_string(tinyValue),
            .minimum = static_cast<double>(minimum),
            .maximum = static_cast<double>(maximum)};
}

Parameter choiceParameter(std::string name, std::string description,
                          std::vector<std::string> choices, std::string tinyValue) {
    Parameter parameter{.name = std::move(name),
                        .description = std::move(description),
                        .type = Parameter::Type::Choice,
                        .defaultValue = choices.front(),
                        .tinyValue = std::move(tinyValue)};
    parameter.choices = std::move(choices);
    return parameter;
}

Parameter flagParameter(std::string name, std::string description) {
    return {.name = std::move(name),
            .description = std::move(description),
            .type = Parameter::Type::Flag,
            .defaultValue = "false"};
}

Parameter sizeParameter() {
    return choiceParameter("size",
                           "default of the other parameters: true to the source, or small enough "
                           "to run in a moment",
                           {"full", "tiny"});
}

} // namespace doppler::workload
