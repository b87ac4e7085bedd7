#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/Output.h"
#include "core/graph/InputError.h"
#include "core/workload/ParameterReader.h"
#include "core/workload/Workload.h"

namespace doppler::cli {

namespace {

using workload::Parameter;
using workload::WorkloadInfo;

struct Options {
    std::string name;
    bool json = false;
};

std::string typeName(Parameter::Type type) {
    switch (type) {
    case Parameter::Type::Integer:
        return "integer";
    case Parameter::Type::Real:
        return "real";
    case Parameter::Type::Choice:
        return "choice";
    case Parameter::Type::Flag:
        return "flag";
    }
    return "";
}

bool isNumber(const Parameter& parameter) {
    return parameter.type == Parameter::Type::Integer || parameter.type == Parameter::Type::Real;
}

/// A whole number for a parameter that is one.
Json limitJson(const Parameter& parameter, double limit) {
    return parameter.type == Parameter::Type::Integer ? Json(static_cast<std::int64_t>(limit))
                                                      : Json(limit);
}

Json toJson(const WorkloadInfo& info) {
    Json parameters = Json::array();
    for (const Parameter& parameter : info.parameters) {
        Json item = {{"name", parameter.name},
                     {"description", parameter.description},
                     {"type", typeName(parameter.type)},
                     {"default", parameter.type == Parameter::Type::Choice
                                     ? Json(parameter.defaultValue)
                                     : Json::parse(parameter.defaultValue)}};
        if (isNumber(parameter)) {
            item["minimum"] = limitJson(parameter, parameter.minimum);
            item["maximum"] = limitJson(parameter, parameter.maximum);
        }
        if (!parameter.choices.empty()) {
            item["choices"] = parameter.choices;
        }
        parameters.push_back(std::move(item));
    }
    return {{"name", info.name},
            {"title", info.title},
            {"description", info.description},
            {"source", info.source},
            {"parameters", std::move(parameters)}};
}

std::string allowedValues(const Parameter& parameter) {
    if (!parameter.choices.empty()) {
        return joined(parameter.choices, "|");
    }
    if (parameter.type == Parameter::Type::Flag) {
        return "true|false";
    }
    return workload::limitText(parameter.minimum) + " to " + workload::limitText(parameter.maximum);
}

void printDetails(const WorkloadInfo& info) {
    std::cout << info.name << ": " << info.title << "\n" << info.description << '\n';
    if (!info.source.empty()) {
        std::cout << "Source: " << info.source << '\n';
    }
    if (info.parameters.empty()) {
        return;
    }
    TextTable table({{"parameter", false}, {"default"}, {"values", false}, {"meaning", false}});
    for (const Parameter& parameter : info.parameters) {
        table.add({parameter.name, parameter.defaultValue, allowedValues(parameter),
                   parameter.description});
    }
    std::cout << '\n' << table.terminal();
}

int listAll(bool json) {
    if (json) {
        Json items = Json::array();
        for (const WorkloadInfo& info : workload::workloads()) {
            items.push_back(toJson(info));
        }
        printJson({{"workloads", std::move(items)}});
        return kDone;
    }
    TextTable table({{"workload", false}, {"what it is", false}, {"parameters", false}});
    for (const WorkloadInfo& info : workload::workloads()) {
        std::string parameters;
        for (const Parameter& parameter : info.parameters) {
            parameters +=
                (parameters.empty() ? "" : ", ") + parameter.name + "=" + parameter.defaultValue;
        }
        table.add({info.name, info.title, parameters});
    }
    std::cout << table.terminal() << "\n`doppler workloads NAME` explains the parameters.\n";
    return kDone;
}

int show(const Options& options) {
    if (options.name.empty()) {
        return listAll(options.json);
    }
    for (const WorkloadInfo& info : workload::workloads()) {
        if (info.name == options.name) {
            options.json ? printJson(toJson(info)) : printDetails(info);
            return kDone;
        }
    }
    throw InputError("workload \"" + options.name +
                     "\": there is none of that name (doppler workloads lists them)");
}

} // namespace

void addWorkloadsCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    CLI::App& command =
        addCommand(app, "workloads", "List the built-in workloads", "doppler workloads chainmm");
    command.add_option("NAME", options->name, "Only this one, with its parameters explained");
    addJsonFlag(command, options->json);
    command.callback([options, &run] { run = [options] { return show(*options); }; });
}

} // namespace doppler::cli
