#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/Output.h"
#include "app/cli/OutputFile.h"
#include "app/cli/ProblemOptions.h"
#include "core/cost/FormatQuantity.h"
#include "core/io/Formats.h"
#include "core/io/ProfileJson.h"

namespace doppler::cli {

namespace {

using cluster::Cluster;

struct Options {
    std::string name;
    OutputFile output;
    bool json = false;
};

std::string rate(double perSecond, const std::string& unit) {
    constexpr double kGiga = 1e9;
    constexpr double kTera = 1e12;
    std::ostringstream text;
    text.precision(4);
    if (perSecond >= kTera) {
        text << perSecond / kTera << " T" << unit;
    } else {
        text << perSecond / kGiga << " G" << unit;
    }
    return text.str();
}

void printDetails(const Cluster& cluster) {
    std::cout << cluster.name() << ": " << cluster.deviceCount() << " devices\n\n";
    TextTable devices({{"device", false},
                       {"model", false},
                       {"f32"},
                       {"f16"},
                       {"memory"},
                       {"bandwidth"},
                       {"launch"}});
    for (const cluster::Device& device : cluster.devices()) {
        devices.add(
            {device.name, device.model, rate(device.flopsPerSecond(graph::DType::F32), "FLOP/s"),
             rate(device.flopsPerSecond(graph::DType::F16), "FLOP/s"),
             device.capacityBytes == 0 ? "unlimited" : cost::formatBytes(device.capacityBytes),
             rate(device.memoryBytesPerSecond, "B/s"),
             cost::formatTime(device.launchOverheadNs, cost::TimeUnit::Nanoseconds)});
    }
    std::cout << devices.terminal();
    if (cluster.deviceCount() == 1) {
        return;
    }
    std::vector<TextTable::Column> columns = {{"from \\ to", false}};
    for (const cluster::Device& device : cluster.devices()) {
        columns.push_back({device.name});
    }
    TextTable links(std::move(columns));
    for (DeviceId from = 0; from < cluster.deviceCount(); ++from) {
        std::vector<std::string> row = {cluster.device(from).name};
        for (DeviceId to = 0; to < cluster.deviceCount(); ++to) {
            const cluster::Link& link = cluster.link(from, to);
            row.push_back(from == to ? "-"
                                     : rate(link.bytesPerSecond, "B/s ") +
                                           std::string(cluster::name(link.kind)));
        }
        links.add(std::move(row));
    }
    std::cout << '\n' << links.terminal();
}

int listAll(bool json) {
    const std::vector<io::ClusterPreset> presets = io::clusterPresets();
    if (json) {
        Json items = Json::array();
        for (const io::ClusterPreset& preset : presets) {
            items.push_back({{"name", preset.name},
                             {"description", preset.description},
                             {"parametric", preset.parametric}});
        }
        printJson({{"clusters", std::move(items)}});
        return kDone;
    }
    TextTable table({{"cluster", false}, {"what it is", false}});
    for (const io::ClusterPreset& preset : presets) {
        table.add({preset.name, preset.description});
    }
    table.add({"detect", "the GPUs of this machine, else its processors"});
    std::cout << table.terminal()
              << "\n`doppler clusters NAME` shows devices and links, "
                 "`-o FILE` writes them to be edited.\n";
    return kDone;
}

int show(const Options& options) {
    if (options.name.empty()) {
        return listAll(options.json);
    }
    const std::shared_ptr<const Cluster> cluster = openCluster(options.name);
    const auto profile = io::openProfile(options.name);
    const std::string text =
        profile ? io::writeClusterJson(*cluster, *profile) : io::writeClusterJson(*cluster);
    options.output.prepare();
    options.json ? printJson(Json::parse(text)) : printDetails(*cluster);
    if (options.output.wanted()) {
        options.output.write(text);
    }
    return kDone;
}

} // namespace

void addClustersCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    CLI::App& command = addCommand(app, "clusters", "List the cluster presets, or show one",
                                   "doppler clusters v100x8 -o mine.json");
    command.add_option("CLUSTER", options->name, "A preset, a file, or detect");
    addOutputOption(command, options->output, "Write the cluster as JSON", {"json"});
    addJsonFlag(command, options->json);
    command.callback([options, &run] { run = [options] { return show(*options); }; });
}

} // namespace doppler::cli
