#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/Output.h"
#include "core/place/Registry.h"

namespace doppler::cli {

namespace {

int list(bool json) {
    if (json) {
        Json items = Json::array();
        for (const place::PlacerInfo& info : place::placers()) {
            items.push_back({{"name", info.name},
                             {"description", info.description},
                             {"source", info.source},
                             {"search", info.search},
                             {"random", info.random}});
        }
        printJson({{"placers", std::move(items)}});
        return kDone;
    }
    TextTable table(
        {{"placer", false}, {"budget", false}, {"seed", false}, {"what it does", false}});
    for (const place::PlacerInfo& info : place::placers()) {
        table.add(
            {info.name, info.search ? "yes" : "-", info.random ? "yes" : "-", info.description});
    }
    std::cout << table.terminal();
    return kDone;
}

} // namespace

void addPlacersCommand(CLI::App& app, CommandRun& run) {
    const auto json = std::make_shared<bool>(false);
    CLI::App& command =
        addCommand(app, "placers", "List the placement methods", "doppler placers --json");
    addJsonFlag(command, *json);
    command.callback([json, &run] { run = [json] { return list(*json); }; });
}

} // namespace doppler::cli
