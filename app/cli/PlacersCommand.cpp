#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/Output.h"
#include "core/learn/PolicyPlacer.h"
#include "core/place/Registry.h"

namespace doppler::cli {

namespace {

/// All placers, the trained policy with them.
std::vector<place::PlacerInfo> allPlacers() {
    std::vector<place::PlacerInfo> infos = place::placers();
    infos.push_back(learn::policyPlacerInfo());
    return infos;
}

int list(bool json) {
    const std::vector<place::PlacerInfo> infos = allPlacers();
    if (json) {
        Json items = Json::array();
        for (const place::PlacerInfo& info : infos) {
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
    for (const place::PlacerInfo& info : infos) {
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
