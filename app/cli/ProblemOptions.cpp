#include "app/cli/ProblemOptions.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include "app/cli/Commands.h"
#include "app/cli/RuntimeOptions.h"
#include "app/cli/UsageError.h"
#include "core/cost/FormatQuantity.h"
#include "core/cost/ProfiledCosts.h"
#include "core/engine/DetectCluster.h"
#include "core/engine/ProfileCheck.h"
#include "core/graph/InputError.h"
#include "core/io/GraphDimensions.h"
#include "core/io/ProfileJson.h"
#include "core/io/SimOptionsJson.h"
#include "core/sim/ProfiledProblem.h"
#include "core/sim/SimOptionNames.h"
#include "core/workload/Workload.h"

namespace doppler::cli {

namespace {

template <typename Value>
std::vector<std::string> namesOf(std::span<const sim::NamedOption<Value>> options) {
    std::vector<std::string> names;
    for (const auto& option : options) {
        names.emplace_back(option.name);
    }
    return names;
}

/// An option that takes one of the words in `options`.
template <typename Value>
void addChoice(CLI::App& command, const std::string& flag, std::optional<std::string>& target,
               std::span<const sim::NamedOption<Value>> options, const std::string& description) {
    command.add_option(flag, target, description)
        ->check(CLI::IsMember(namesOf(options)))
        ->option_text(joined(namesOf(options), "|"))
        ->group("Simulator");
}

/// The word was checked when the command line was parsed.
template <typename Value>
void apply(Value& target, const std::optional<std::string>& word,
           std::span<const sim::NamedOption<Value>> options) {
    if (word) {
        target = sim::optionFromName(options, *word).value_or(target);
    }
}

sim::SimOptions presetOptions(const std::string& preset, cost::CostModel costs) {
    if (preset.empty()) {
        return costs == cost::CostModel::Published ? sim::SimOptions::published()
                                                   : sim::SimOptions{};
    }
    if (preset == "published") {
        return sim::SimOptions::published();
    }
    if (preset == "default") {
        return {};
    }
    return io::parseSimOptions(io::readFile(preset), preset);
}

std::shared_ptr<const cluster::Profile> requireProfile(const std::string& cluster) {
    std::shared_ptr<const cluster::Profile> profile = io::openProfile(cluster);
    if (!profile) {
        throw InputError("cluster \"" + cluster +
                         "\" holds no measured times, which profiled "
                         "costs need: doppler calibrate GRAPH --cluster " +
                         cluster + " -o FILE writes a cluster that does");
    }
    return profile;
}

/// Throws UsageError for units where only times will do.
cost::CostModel costModelOf(const ProblemOptions& options, const graph::Graph& graph) {
    const bool units = graph.fileCostUnit() == graph::FileCostUnit::Units;
    if (options.costs.empty()) {
        return options.timesOnly && units ? cost::CostModel::Physical
                                          : cost::defaultCostModel(graph);
    }
    for (const cost::CostModel model : {cost::CostModel::Physical, cost::CostModel::Profiled}) {
        if (options.costs == cost::name(model)) {
            return model;
        }
    }
    if (options.timesOnly && units) {
        throw UsageError("--costs published: these are units without a time; expected physical or "
                         "profiled");
    }
    return cost::CostModel::Published;
}

/// Times that are no measurement of this machine must not look like one.
void tellOrigin(const cluster::Profile& profile, const std::string& cluster,
                io::ImportReport& report) {
    const std::vector<std::string> runtimes = runtimeNames();
    if (std::find(runtimes.begin(), runtimes.end(), profile.runtime) == runtimes.end()) {
        throw InputError(cluster, "times of the runtime \"" + profile.runtime + "\"",
                         "those of " + joined(runtimes, ", "));
    }
    std::vector<std::string> notes;
    if (profile.emulated) {
        notes.push_back("times of an emulated machine: nothing was measured");
    } else if (profile.runtime != "cpu") {
        notes.push_back("times measured on the runtime " + profile.runtime);
    }
    if (std::string note = engine::disturbanceNote(profile); !note.empty()) {
        notes.push_back(std::move(note));
    }
    for (const std::string& note : notes) {
        std::cerr << cluster << ": " << note << '\n';
        report.notes.push_back(cluster + ": " + note);
    }
}

/// What the profile lacks is not to be found out from wrong results.
void tellGaps(const cost::ProfileCoverage& coverage, const std::string& cluster) {
    if (coverage.measuredOps < coverage.ops) {
        std::cerr << cluster << ": " << cost::formatCount(coverage.ops - coverage.measuredOps)
                  << " of " << cost::formatCount(coverage.ops)
                  << " ops were not measured; they take their physical costs\n";
    }
    if (coverage.measuredLinks < coverage.links) {
        std::cerr << cluster << ": " << coverage.links - coverage.measuredLinks << " of "
                  << coverage.links
                  << " kinds of links were not measured; they take their physical costs\n";
    }
}

} // namespace

void addGraphArgument(CLI::App& command, std::string& graph) {
    command.add_option("GRAPH", graph, "A workload (name or name:key=value,...) or a file")
        ->required()
        ->option_text("REQUIRED");
    addDimensionOption(
        command, [&graph](const std::string& sizes) { graph = withDimensions(graph, sizes); });
}

void addDimensionOption(CLI::App& command, std::function<void(const std::string&)> take) {
    const auto texts = std::make_shared<std::vector<std::string>>();
    CLI::Option* option =
        command
            .add_option("--dim", *texts,
                        "Size of a dimension that an ONNX model leaves open (default 1); may stand "
                        "several times. The same as GRAPH:NAME=SIZE,...")
            ->allow_extra_args(false)
            ->option_text("NAME=SIZE");
    command.parse_complete_callback([option, texts, take = std::move(take)] {
        if (texts->empty()) {
            return;
        }
        const std::string sizes = joined(*texts, ",");
        try {
            io::parseDimensions(sizes); // all of them: one name may not have two sizes
        } catch (const InputError& error) {
            throw CLI::ValidationError(option->get_name(), error.what());
        }
        take(sizes);
    });
}

std::string withDimensions(const std::string& graph, const std::string& sizes) {
    std::error_code unreadable;
    const bool more =
        graph.find(':') != std::string::npos && !std::filesystem::exists(graph, unreadable);
    return graph + (more ? ',' : ':') + sizes;
}

void addClusterOption(CLI::App& command, std::string& cluster) {
    command
        .add_option("--cluster", cluster, "A preset, a file, or detect (the GPUs of this machine)")
        ->required()
        ->option_text("CLUSTER REQUIRED");
}

void addCostsOption(CLI::App& command, ProblemOptions& options) {
    command
        .add_option("--costs", options.costs,
                    std::string(options.timesOnly
                                    ? "Default: physical, but published where a graph file "
                                      "states times"
                                    : "Default: published where the graph has costs of its own, "
                                      "else physical") +
                        "; profiled: measured ones, in a cluster file of doppler calibrate")
        ->check(CLI::IsMember({"published", "physical", "profiled"}))
        ->option_text("published|physical|profiled");
    command.add_flag("--any-profile", options.anyProfile,
                     "Take profiled costs also where they were measured on another machine");
}

void addSimOptions(CLI::App& command, SimFlags& flags) {
    command
        .add_option("--sim", flags.preset,
                    "Options of the simulator. Default: published for published costs, else "
                    "default; the options below override it")
        ->option_text("published|default|FILE")
        ->group("Simulator");
    addChoice(command, "--contention", flags.contention, sim::linkContentionNames(),
              "Which transfers wait for each other");
    addChoice(command, "--sharing", flags.sharing, sim::transferSharingNames(),
              "One copy of a value per destination device, or one per edge");
    addChoice(command, "--choice", flags.choice, sim::readyChoiceNames(),
              "Which ready op a free device takes");
    addChoice(command, "--memory", flags.memory, sim::memoryPolicyNames(),
              "Report a full memory, or hold ops back until there is room");
    command
        .add_option("--noise", flags.noise,
                    "Coefficient of variation of log-normal durations; 0: fixed")
        ->check(numberWithin(0, 10, "a number from 0 to 10"))
        ->option_text("CV")
        ->group("Simulator");
    command
        .add_option("--cores", flags.cores,
                    "Processors that all devices and copies share; 0: no limit")
        ->transform(wholeNumber(0, 4096))
        ->option_text("N")
        ->group("Simulator");
    command.add_option("--sim-seed", flags.seed, "Seed of random choice and noise")
        ->transform(seedNumber())
        ->option_text("N")
        ->group("Simulator");
}

void addModeOption(CLI::App& command, std::optional<std::string>& mode) {
    addChoice(command, "--mode", mode, sim::executionModeNames(),
              "Work-conserving, or bulk-synchronous levels");
}

void addProblemOptions(CLI::App& command, ProblemOptions& options) {
    addGraphArgument(command, options.graph);
    addClusterOption(command, options.cluster);
    addCostsOption(command, options);
    addModeOption(command, options.sim.mode);
    addSimOptions(command, options.sim);
}

io::ReadGraph openGraph(const std::string& text) {
    if (workload::isWorkload(text)) {
        return {.graph = workload::generate(text), .report = {}, .format = "workload"};
    }
    const io::GraphSource source = io::parseGraphSource(text);
    std::error_code unreadable; // a path too long to exist, say
    if (!std::filesystem::exists(source.path, unreadable)) {
        throw InputError("graph \"" + text +
                         "\": there is no such file, and no workload of that "
                         "name (doppler workloads lists them)");
    }
    io::ReadGraph read = io::readGraphFile(source.path, source.dimensions);
    for (const std::string& note : read.report.notes) {
        std::cerr << source.path.string() << ": " << note << '\n';
    }
    return read;
}

std::shared_ptr<const cluster::Cluster> openCluster(const std::string& text) {
    if (text != "detect") {
        return io::openCluster(text);
    }
    const engine::DetectedCluster detected = engine::detectCluster();
    std::cerr << "detect: " << detected.message << '\n';
    return detected.cluster;
}

sim::SimOptions resolveSimOptions(const SimFlags& flags, cost::CostModel costs) {
    sim::SimOptions options = presetOptions(flags.preset, costs);
    apply(options.mode, flags.mode, sim::executionModeNames());
    apply(options.contention, flags.contention, sim::linkContentionNames());
    apply(options.sharing, flags.sharing, sim::transferSharingNames());
    apply(options.choice, flags.choice, sim::readyChoiceNames());
    apply(options.memory, flags.memory, sim::memoryPolicyNames());
    options.durationVariation = flags.noise.value_or(options.durationVariation);
    options.cores = flags.cores.value_or(options.cores);
    options.seed = flags.seed.value_or(options.seed);
    return options;
}

void checkNoise(const place::Objective& objective, const SimFlags& flags) {
    if (objective.measure != place::Objective::Measure::Makespan && flags.noise == 0.0) {
        throw UsageError("--objective " + place::name(objective) +
                         " judges by noisy runs, and --noise 0 takes the noise away: expected "
                         "--noise above 0, none (then it is " +
                         numberText(place::kDefaultVariation) + "), or --objective makespan");
    }
}

OpenedProblem openProblem(const ProblemOptions& options) {
    io::ReadGraph read = openGraph(options.graph);
    std::shared_ptr<const cluster::Cluster> cluster = openCluster(options.cluster);
    const cost::CostModel costs = costModelOf(options, *read.graph);
    OpenedProblem opened;
    const sim::SimOptions simOptions = resolveSimOptions(options.sim, costs);
    if (costs == cost::CostModel::Profiled) {
        const auto profile = requireProfile(options.cluster);
        if (!options.anyProfile) {
            engine::checkProfileFits(*profile, profile->runtime, options.cluster);
            opened.profile = profile;
        }
        tellOrigin(*profile, options.cluster, read.report);
        tellGaps(cost::profileCoverage(*read.graph, *cluster, *profile), options.cluster);
        opened.problem = sim::makeProfiledProblem(std::move(read.graph), std::move(cluster),
                                                  *profile, simOptions);
    } else {
        opened.problem =
            sim::makeProblem(std::move(read.graph), std::move(cluster), costs, simOptions);
    }
    opened.report = std::move(read.report);
    opened.format = std::move(read.format);
    return opened;
}

sim::Assignment openAssignment(const std::string& path, const sim::Problem& problem) {
    return io::parseAssignment(io::readFile(path), path, *problem.graph, *problem.cluster);
}

} // namespace doppler::cli
